/**
 * A branch: Score documents become applications and their resources. {@link
 * dev.slipway.applications.ApplicationsBranch} is what the server knows of it.
 */
@NullMarked
package dev.slipway.applications;

import org.jspecify.annotations.NullMarked;
