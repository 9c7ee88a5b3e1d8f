/** The {@code slipway} command: verbs over the HTTP API, and what works offline. */
package dev.slipway.cli;
