package dev.slipway.postgres.overview;

import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** What steps said, in the order in which they said it. */
public final class StepLogReader {
  private final Jdbi jdbi;

  public StepLogReader(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Up to where somebody has read. */
  public record Mark(int attempt, long epoch, int seq) {
    /** Nothing yet. */
    public static final Mark START = new Mark(0, -1, -1);
  }

  /** Some lines, each a JSON object {@code {t, s, m}}, and the mark behind them. */
  public record Chunk(Mark mark, String lines) {}

  /** Chunks behind the mark. */
  public List<Chunk> after(UUID run, String step, Mark mark, int limit) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT attempt, epoch, seq, lines FROM step_logs
                     WHERE run_id = :run AND step = :step
                       AND (attempt, epoch, seq) > (:attempt, :epoch, :seq)
                     ORDER BY attempt, epoch, seq LIMIT :limit
                    """)
                .bind("run", run)
                .bind("step", step)
                .bind("attempt", mark.attempt())
                .bind("epoch", mark.epoch())
                .bind("seq", mark.seq())
                .bind("limit", limit)
                .map(
                    (rs, context) ->
                        new Chunk(
                            new Mark(rs.getInt("attempt"), rs.getLong("epoch"), rs.getInt("seq")),
                            rs.getString("lines")))
                .list());
  }
}
