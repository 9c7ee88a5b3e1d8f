package dev.slipway.server.access;

import dev.slipway.postgres.access.Role;
import java.util.EnumSet;
import java.util.Set;

/** What can be permitted, and the roles that permit it: the table of who may do what. */
public enum Action {
  /** Objects, logs, graph and events of a team. */
  READ(Role.VIEWER, Role.DEVELOPER, Role.APPROVER, Role.OPERATOR, Role.ADMIN),
  /** Deploy, delete, retry, cancel, run golden paths. */
  CHANGE(Role.DEVELOPER, Role.OPERATOR, Role.ADMIN),
  /** Approve and reject. */
  APPROVE(Role.APPROVER, Role.OPERATOR, Role.ADMIN),
  /** See secret outputs; audited. */
  REVEAL(Role.DEVELOPER, Role.OPERATOR, Role.ADMIN),
  /** Reload providers, force, see conflicts. */
  OPERATE(Role.OPERATOR, Role.ADMIN),
  /** Users, teams, configuration, audit. */
  ADMINISTER(Role.ADMIN);

  private final Set<Role> roles;

  Action(Role first, Role... more) {
    this.roles = EnumSet.of(first, more);
  }

  /** Whether somebody of this role may. */
  public boolean permittedTo(Role role) {
    return roles.contains(role);
  }
}
