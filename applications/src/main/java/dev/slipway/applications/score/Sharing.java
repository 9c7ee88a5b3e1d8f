package dev.slipway.applications.score;

import java.util.LinkedHashSet;
import java.util.Set;

/** Which other teams may use a resource: named ones, all ({@code *}), or none. */
public record Sharing(Set<String> teams, boolean everybody) {
  public static final String ANNOTATION = "slipway.dev/shared-with";

  /** At the user's side: the team whose resource it means to use. */
  public static final String FROM = "slipway.dev/shared-from";

  public static final Sharing NONE = new Sharing(Set.of(), false);

  public Sharing {
    teams = Set.copyOf(teams);
  }

  /** Reads {@code team-a, team-b} or {@code *}. */
  public static Sharing parse(String text) {
    var teams = new LinkedHashSet<String>();
    for (String team : text.split(",", -1)) {
      if (!team.isBlank()) {
        teams.add(team.strip());
      }
    }
    boolean everybody = teams.remove("*");
    return new Sharing(teams, everybody);
  }

  public boolean allows(String team) {
    return everybody || teams.contains(team);
  }
}
