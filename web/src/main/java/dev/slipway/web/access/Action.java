package dev.slipway.web.access;

import dev.slipway.postgres.access.Role;
import java.util.EnumSet;
import java.util.Set;

/** Permissions and the roles that grant them. */
public enum Action {
  /** Read objects, logs, graph and events of a team. */
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

  /** Whether this role grants the action. */
  public boolean permittedTo(Role role) {
    return roles.contains(role);
  }
}
