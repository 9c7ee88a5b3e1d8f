package dev.slipway.postgres.runs;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** The runs that a user may still retry. */
public final class RecentRuns {
  private static final String AMONG =
      """
      SELECT id FROM runs
       WHERE id = ANY(:ids) AND (finished_at IS NULL OR finished_at > :since)
      """;

  private final Jdbi jdbi;

  public RecentRuns(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Those that are not finished, or were only after that moment. */
  public Set<UUID> among(Set<UUID> runs, Instant since) {
    return jdbi.withHandle(
        handle ->
            Set.copyOf(
                handle
                    .createQuery(AMONG)
                    .bind("ids", runs.toArray(new UUID[0]))
                    .bind("since", since)
                    .mapTo(UUID.class)
                    .list()));
  }
}
