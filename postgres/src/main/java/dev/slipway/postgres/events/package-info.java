/** The append-only log of what happened, and how those who wait for something are woken. */
package dev.slipway.postgres.events;
