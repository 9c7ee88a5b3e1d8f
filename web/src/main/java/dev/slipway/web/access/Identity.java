package dev.slipway.web.access;

import dev.slipway.postgres.access.Account;
import dev.slipway.postgres.access.Membership;
import java.util.Set;
import java.util.TreeSet;

/** An authenticated caller with its permissions. */
public record Identity(Account account, Means means) {

  /**
   * How the caller authenticated. Browsers send cookies by themselves, so those need a CSRF check.
   */
  public enum Means {
    BEARER,
    COOKIE
  }

  /** The account's name. */
  public String name() {
    return account.name();
  }

  /** Whether the caller may execute the action on objects of this team. */
  public boolean may(Action action, String team) {
    return account.memberships().stream()
        .anyMatch(m -> action.permittedTo(m.role()) && m.covers(team));
  }

  /** Whether there is a team for which the caller may execute the action. */
  public boolean maySomewhere(Action action) {
    return account.memberships().stream().anyMatch(m -> action.permittedTo(m.role()));
  }

  /** The teams for which the caller may execute the action. */
  public Reach reach(Action action) {
    Set<String> teams = new TreeSet<>();
    for (Membership m : account.memberships()) {
      if (!action.permittedTo(m.role())) {
        continue;
      }
      if (m.role().reachesAllTeams() || m.team().equals(Membership.EVERY_TEAM)) {
        return new Reach.EveryTeam();
      }
      teams.add(m.team());
    }
    return new Reach.Some(teams);
  }

  /** A set of teams, possibly every present and future one. */
  public sealed interface Reach {
    /** Every team. */
    record EveryTeam() implements Reach {}

    /** The listed teams. */
    record Some(Set<String> teams) implements Reach {
      public Some {
        teams = Set.copyOf(teams);
      }
    }
  }
}
