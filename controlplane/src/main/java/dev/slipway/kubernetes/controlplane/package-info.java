/**
 * A real Kubernetes control plane on the loopback interface, as child processes of this one: etcd,
 * API server, controller manager, scheduler, and KWOK, which plays one node and its pods. For tests
 * and for {@code slipway up --cluster embedded}.
 */
@NullMarked
package dev.slipway.kubernetes.controlplane;

import org.jspecify.annotations.NullMarked;
