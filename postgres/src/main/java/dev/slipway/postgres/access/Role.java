package dev.slipway.postgres.access;

import java.util.Locale;
import java.util.Optional;

/** A role of an account in a team. Roles add up. */
public enum Role {
  VIEWER,
  DEVELOPER,
  APPROVER,
  OPERATOR,
  ADMIN;

  /** As stored and shown. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the role always applies to every team. */
  public boolean reachesAllTeams() {
    return switch (this) {
      case VIEWER, DEVELOPER, APPROVER -> false;
      case OPERATOR, ADMIN -> true;
    };
  }

  /** The role of that name; {@code user} is an older name of developer. */
  public static Optional<Role> named(String text) {
    if (text.equals("user")) {
      return Optional.of(DEVELOPER);
    }
    for (Role role : values()) {
      if (role.text().equals(text)) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }
}
