package dev.slipway.postgres.runs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * How many more runs may execute, when that is limited for all replicas together. A claiming
 * transaction holds an advisory lock until it ends, so replicas claim one after the other; it skips
 * locked rows instead of waiting for them, so the lock is held for a short time.
 */
final class ConcurrencyLimit {
  /** Key of the advisory lock. */
  private static final long CLAIMS = 0x736c6970_636c6169L;

  /**
   * A run that is worked on has a lease that ends soon. Looking no further than the longest lease
   * leaves out all that wait for times to come, however many there are.
   */
  private static final Duration LONGEST_LEASE = Duration.ofMinutes(10);

  private static final String TAKEN =
      """
      SELECT count(*) FROM (
        SELECT 1 FROM runs
         WHERE claimable_at > ?::timestamptz AND claimable_at <= ?::timestamptz
           AND state = 'running'
         LIMIT ?) AS held
      """;

  private ConcurrencyLimit() {}

  static int free(Connection connection, int all, Instant now) throws SQLException {
    try (Statement lock = connection.createStatement()) {
      lock.execute("SELECT pg_advisory_xact_lock(" + CLAIMS + ")");
    }
    // A statement of its own: its snapshot must include the commit of the previous lock holder.
    try (PreparedStatement count = connection.prepareStatement(TAKEN)) {
      count.setObject(1, now.atOffset(ZoneOffset.UTC));
      count.setObject(2, now.plus(LONGEST_LEASE).atOffset(ZoneOffset.UTC));
      count.setInt(3, all);
      try (ResultSet rows = count.executeQuery()) {
        rows.next();
        return all - rows.getInt(1);
      }
    }
  }
}
