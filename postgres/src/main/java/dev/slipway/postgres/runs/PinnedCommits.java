package dev.slipway.postgres.runs;

import java.util.Set;
import org.jdbi.v3.core.Jdbi;

/** The commits of providers that runs need: their own, and those of workflows they call. */
public final class PinnedCommits {
  private static final String OF_RUNS =
      """
      SELECT DISTINCT found[1]
        FROM definitions,
             LATERAL regexp_matches(body::text, '"commit" ?: ?"([0-9a-f]{40})"', 'g') AS found
       WHERE hash IN (SELECT DISTINCT definition_hash FROM runs WHERE state IN (%s))
      """;

  private final Jdbi jdbi;

  public PinnedCommits(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Of all runs that are not finished, on whichever replica. */
  public Set<String> now() {
    return of("'pending', 'running', 'waiting'");
  }

  /** The commits of all definitions whose runs a user may retry. */
  public Set<String> later() {
    return of("'failed', 'partial', 'cancelled'");
  }

  private Set<String> of(String states) {
    return jdbi.withHandle(
        h -> Set.copyOf(h.createQuery(OF_RUNS.formatted(states)).mapTo(String.class).list()));
  }
}
