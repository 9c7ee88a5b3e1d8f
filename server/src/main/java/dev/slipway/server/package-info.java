/**
 * The running product: {@code Main} starts it, {@code Wiring} puts the parts together as
 * constructor calls, the packages below are the HTTP API, access and telemetry.
 */
@NullMarked
package dev.slipway.server;

import org.jspecify.annotations.NullMarked;
