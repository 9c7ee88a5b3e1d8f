/** Telemetry of the server: metrics for Prometheus and log lines as JSON. */
@NullMarked
package dev.slipway.server.telemetry;

import org.jspecify.annotations.NullMarked;
