package dev.slipway.engine.access;

import java.util.Set;

/** Some teams, or every team there is. */
public sealed interface Teams {

  /** Whether this team is one of them. */
  boolean includes(String team);

  /** All teams: operators and administrators. */
  record Every() implements Teams {
    @Override
    public boolean includes(String team) {
      return true;
    }
  }

  /** Exactly these teams. */
  record Named(Set<String> names) implements Teams {
    public Named {
      names = Set.copyOf(names);
    }

    @Override
    public boolean includes(String team) {
      return names.contains(team);
    }
  }
}
