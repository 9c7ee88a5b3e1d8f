package dev.slipway.postgres.runs;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** How far the logs of steps have got, for all that are followed in one query. */
public final class FollowedLogs {
  private static final String PROGRESS =
      """
      SELECT f.run_id, f.step,
             (SELECT concat_ws('/', l.attempt, l.epoch, l.seq) FROM step_logs l
               WHERE l.run_id = f.run_id AND l.step = f.step
               ORDER BY l.attempt DESC, l.epoch DESC, l.seq DESC LIMIT 1) AS newest,
             r.id IS NULL OR r.finished_at IS NOT NULL
               OR EXISTS (SELECT 1 FROM steps s WHERE s.run_id = f.run_id AND s.name = f.step
                             AND s.finished_at IS NOT NULL) AS ended
        FROM unnest(:runs::uuid[], :steps::text[]) AS f (run_id, step)
        LEFT JOIN runs r ON r.id = f.run_id
      """;

  private final Jdbi jdbi;

  public FollowedLogs(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** A step of a run. */
  public record Step(UUID run, String name) {}

  /** The newest chunk of a step's log, as text that changes with it, and whether more can come. */
  public record Progress(String newest, State state) {}

  /** Whether a step will log more. */
  public enum State {
    RUNNING,
    ENDED
  }

  /** The progress of each of these steps. */
  public Map<Step, Progress> of(Collection<Step> steps) {
    List<Step> asked = List.copyOf(steps);
    UUID[] runs = asked.stream().map(Step::run).toArray(UUID[]::new);
    String[] names = asked.stream().map(Step::name).toArray(String[]::new);
    Map<Step, Progress> found = new HashMap<>();
    jdbi.useHandle(
        h ->
            h.createQuery(PROGRESS)
                .bindByType("runs", runs, UUID[].class)
                .bindByType("steps", names, String[].class)
                .map(
                    (rs, ctx) ->
                        Map.entry(
                            new Step(rs.getObject("run_id", UUID.class), rs.getString("step")),
                            new Progress(
                                "" + rs.getString("newest"),
                                rs.getBoolean("ended") ? State.ENDED : State.RUNNING)))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue())));
    return found;
  }
}
