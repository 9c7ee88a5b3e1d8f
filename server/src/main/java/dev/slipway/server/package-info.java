/**
 * The server process: {@code Main} starts it, {@code Wiring} assembles the parts as constructor
 * calls, the packages below are the HTTP API, access and telemetry.
 */
@NullMarked
package dev.slipway.server;

import org.jspecify.annotations.NullMarked;
