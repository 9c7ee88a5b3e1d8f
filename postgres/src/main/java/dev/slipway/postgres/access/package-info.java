/**
 * Who may do what, and who did: accounts with their roles in teams, API keys and login sessions
 * (kept as hashes only), the audit log, and the replies kept for repeated requests.
 */
@NullMarked
package dev.slipway.postgres.access;

import org.jspecify.annotations.NullMarked;
