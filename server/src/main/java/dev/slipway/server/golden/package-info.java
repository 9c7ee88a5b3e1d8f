/** Golden paths: workflows that developers start by name, with parameters, for their team. */
@NullMarked
package dev.slipway.server.golden;

import org.jspecify.annotations.NullMarked;
