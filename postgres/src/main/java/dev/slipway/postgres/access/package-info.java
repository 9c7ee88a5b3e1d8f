/**
 * Access control and audit: accounts with their roles in teams, API keys and login sessions (stored
 * as hashes only), the audit log, and the replies stored for repeated requests.
 */
@NullMarked
package dev.slipway.postgres.access;

import org.jspecify.annotations.NullMarked;
