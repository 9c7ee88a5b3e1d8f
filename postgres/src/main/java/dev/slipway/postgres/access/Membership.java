package dev.slipway.postgres.access;

/** One role in one team, or in every team. */
public record Membership(String team, Role role) {
  /** Stands for every team. */
  public static final String EVERY_TEAM = "*";

  /** Whether it counts for this team. */
  public boolean covers(String other) {
    return team.equals(EVERY_TEAM) || role.reachesAllTeams() || team.equals(other);
  }
}
