/**
 * A Score workload as the objects of a cluster: Deployment, Service, ConfigMap and Secret. A pure
 * translation: what is written in a document becomes values of fields, never a field or a document,
 * and what is secret stands in the Secret alone.
 */
@NullMarked
package dev.slipway.kubernetes.workload;

import org.jspecify.annotations.NullMarked;
