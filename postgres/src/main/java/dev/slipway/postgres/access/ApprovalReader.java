package dev.slipway.postgres.access;

import dev.slipway.engine.access.Teams;

/**
 * The approvals that an account may read: those of teams it sees, and those that name the account
 * or a team for which it approves.
 */
public record ApprovalReader(String user, Teams sees, Teams approvesFor) {}
