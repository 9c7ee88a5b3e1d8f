/**
 * All rules together: the one that an object is judged by, and files of manifests judged at once.
 */
@NullMarked
package dev.slipway.kubernetes.health.assess;

import org.jspecify.annotations.NullMarked;
