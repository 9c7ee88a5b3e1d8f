/**
 * Programs of steps as Jobs of a Kubernetes cluster: the Job and what its pod needs, the frames
 * that come back through the pod's log, and the way from one to the other that a crash of the
 * server at any point does not repeat.
 */
@NullMarked
package dev.slipway.steps.job;

import org.jspecify.annotations.NullMarked;
