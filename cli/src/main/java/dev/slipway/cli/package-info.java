/** The {@code slipway} command: verbs over the HTTP API, and what works offline. */
@NullMarked
package dev.slipway.cli;

import org.jspecify.annotations.NullMarked;
