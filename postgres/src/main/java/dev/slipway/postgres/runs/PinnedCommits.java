package dev.slipway.postgres.runs;

import java.util.Set;
import org.jdbi.v3.core.Jdbi;

/** The commits of providers that runs still need: their own, and those of workflows they call. */
public final class PinnedCommits {
  private static final String OF_UNFINISHED_RUNS =
      """
      SELECT DISTINCT found[1]
        FROM definitions,
             LATERAL regexp_matches(body::text, '"commit" ?: ?"([0-9a-f]{40})"', 'g') AS found
       WHERE hash IN (SELECT DISTINCT definition_hash FROM runs
                       WHERE state IN ('pending', 'running', 'waiting'))
      """;

  private final Jdbi jdbi;

  public PinnedCommits(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Of all runs that are not finished, on whichever replica. */
  public Set<String> now() {
    return jdbi.withHandle(
        handle -> Set.copyOf(handle.createQuery(OF_UNFINISHED_RUNS).mapTo(String.class).list()));
  }
}
