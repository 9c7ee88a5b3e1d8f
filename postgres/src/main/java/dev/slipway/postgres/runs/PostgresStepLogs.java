package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.execute.StepLogs;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Logs of steps, in chunks. Chunks of an owner that has lost its run are not kept. */
public final class PostgresStepLogs implements StepLogs {
  private static final String APPEND =
      """
      INSERT INTO step_logs (run_id, step, attempt, epoch, seq, at, lines)
      SELECT c.run_id, c.step, c.attempt, c.epoch, c.seq, c.at, c.lines
        FROM unnest(?::uuid[], ?::text[], ?::int4[], ?::int8[], ?::int4[], ?::timestamptz[],
                    ?::text[]) AS c (run_id, step, attempt, epoch, seq, at, lines)
        JOIN runs r ON r.id = c.run_id AND r.epoch = c.epoch
      ON CONFLICT DO NOTHING
      """;

  private static final String NOTE = StepLog.Stream.NOTE.name().toLowerCase(Locale.ROOT);

  private final Jdbi jdbi;

  /** In this database. */
  public PostgresStepLogs(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Where a reader is: after that chunk. */
  public record Cursor(int attempt, long epoch, int seq) {
    /** Before the first chunk. */
    public static final Cursor START = new Cursor(0, 0, -1);
  }

  /** A chunk and the cursor after it. */
  public record Page(Cursor cursor, String lines) {}

  @Override
  public void append(List<Chunk> chunks) {
    jdbi.useHandle(
        h -> {
          Connection connection = h.getConnection();
          try (PreparedStatement insert = connection.prepareStatement(APPEND)) {
            Rows.bind(connection, insert, chunks)
                .column("uuid", Chunk::run)
                .text(Chunk::step)
                .column("int4", Chunk::attempt)
                .column("int8", Chunk::epoch)
                .column("int4", Chunk::seq)
                .time(Chunk::at)
                .text(Chunk::lines);
            insert.executeUpdate();
          } catch (SQLException e) {
            throw new DatabaseException("cannot store step logs: " + e.getMessage(), e);
          }
        });
  }

  @Override
  public long stored(UUID run, String step, int attempt) {
    return jdbi.withHandle(
        h ->
            h
                .createQuery(
                    """
                    SELECT lines FROM step_logs
                     WHERE run_id = :run AND step = :step AND attempt = :attempt
                    """)
                .bind("run", run)
                .bind("step", step)
                .bind("attempt", attempt)
                .mapTo(String.class)
                .stream()
                .mapToLong(PostgresStepLogs::output)
                .sum());
  }

  /** The lines of a chunk that are no notes. */
  private static long output(String lines) {
    return lines
        .lines()
        .map(Json::read)
        .filter(line -> !NOTE.equals(Values.map(line).get("s")))
        .count();
  }

  /** The next chunks of a step's log, all attempts in order. */
  public List<Page> read(UUID run, String step, Cursor after, int limit) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT attempt, epoch, seq, lines FROM step_logs
                     WHERE run_id = :run AND step = :step
                       AND (attempt, epoch, seq) > (:attempt, :epoch, :seq)
                     ORDER BY attempt, epoch, seq
                     LIMIT :limit
                    """)
                .bind("run", run)
                .bind("step", step)
                .bind("attempt", after.attempt())
                .bind("epoch", after.epoch())
                .bind("seq", after.seq())
                .bind("limit", limit)
                .map(
                    (rs, _) ->
                        new Page(
                            new Cursor(rs.getInt("attempt"), rs.getLong("epoch"), rs.getInt("seq")),
                            rs.getString("lines")))
                .list());
  }
}
