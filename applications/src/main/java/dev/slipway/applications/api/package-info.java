/** The HTTP API of applications: routes, and their rows of the table of kinds. */
@NullMarked
package dev.slipway.applications.api;

import org.jspecify.annotations.NullMarked;
