/**
 * A branch: Score documents become applications and their resources. {@link
 * dev.slipway.applications.ApplicationsBranch} describes it to the server.
 */
@NullMarked
package dev.slipway.applications;

import org.jspecify.annotations.NullMarked;
