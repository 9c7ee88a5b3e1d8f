/**
 * What health of a Kubernetes object means: the object as it was read, the rule that judges it, and
 * the result. Rules are in the packages below.
 */
@NullMarked
package dev.slipway.kubernetes.health;

import org.jspecify.annotations.NullMarked;
