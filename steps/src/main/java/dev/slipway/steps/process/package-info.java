/**
 * Runs programs for steps: in a session of their own that ends with the server, limited in time and
 * resources, and killed with all their descendants.
 */
@NullMarked
package dev.slipway.steps.process;

import org.jspecify.annotations.NullMarked;
