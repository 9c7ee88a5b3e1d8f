package dev.slipway.postgres.access;

import dev.slipway.engine.progress.Teams;

/**
 * Who reads approvals: those of the teams that the user sees, and those that name the user or a
 * team for which the user approves.
 */
public record ApprovalReader(String user, Teams sees, Teams approvesFor) {}
