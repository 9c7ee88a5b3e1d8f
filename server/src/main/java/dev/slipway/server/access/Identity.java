package dev.slipway.server.access;

import dev.slipway.postgres.access.Account;
import dev.slipway.postgres.access.Membership;
import java.util.Set;
import java.util.TreeSet;

/** Who is calling, with everything they may do. */
public record Identity(Account account, Means means) {

  /** How they showed who they are. A browser sends cookies by itself, so those need more care. */
  public enum Means {
    BEARER,
    COOKIE
  }

  /** The account's name. */
  public String name() {
    return account.name();
  }

  /** Whether they may do it to objects of this team. */
  public boolean may(Action action, String team) {
    return account.memberships().stream()
        .anyMatch(m -> action.permittedTo(m.role()) && m.covers(team));
  }

  /** Whether there is any team for which they may. */
  public boolean maySomewhere(Action action) {
    return account.memberships().stream().anyMatch(m -> action.permittedTo(m.role()));
  }

  /** For which teams they may. */
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

  /** A set of teams, possibly all there will ever be. */
  public sealed interface Reach {
    /** All. */
    record EveryTeam() implements Reach {}

    /** These. */
    record Some(Set<String> teams) implements Reach {
      public Some {
        teams = Set.copyOf(teams);
      }
    }
  }
}
