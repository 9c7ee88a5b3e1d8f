/** The running product: wiring, HTTP API, events, authentication and metrics. */
package dev.slipway.server;
