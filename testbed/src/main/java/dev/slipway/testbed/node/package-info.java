/**
 * A node of a Kubernetes cluster that runs the containers of its pods as processes of this machine:
 * what of a kubelet tests need. Pods are bound to it by the scheduler, volumes of ConfigMaps,
 * Secrets and empty directories are files, logs are served to the API server, deletion sends TERM
 * and after the grace period KILL. There is no image, no isolation and no network of pods.
 */
@NullMarked
package dev.slipway.testbed.node;

import org.jspecify.annotations.NullMarked;
