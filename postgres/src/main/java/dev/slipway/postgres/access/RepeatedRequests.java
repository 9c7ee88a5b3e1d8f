package dev.slipway.postgres.access;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jdbi.v3.core.Jdbi;

/**
 * Replies kept under the caller's idempotency key, so that a request sent twice is carried out
 * once. The database decides which of two requests at the same moment is the first.
 */
public final class RepeatedRequests {
  /** How long a reply is kept. */
  public static final Duration KEPT = Duration.ofHours(24);

  /**
   * A request that has not answered by then died with its server; another replica may take its key
   * over. A successor of that server need not wait so long.
   */
  public static final Duration ABANDONED = Duration.ofMinutes(2);

  private final Jdbi jdbi;
  private final String replica;

  /**
   * Of one replica, which holds its name alone: what earlier processes under that name left
   * unfinished is free again.
   */
  public RepeatedRequests(Jdbi jdbi, String replica) {
    this.jdbi = jdbi;
    this.replica = replica;
    jdbi.useHandle(
        h -> h.execute("DELETE FROM idempotency_keys WHERE status IS NULL AND owner = ?", replica));
  }

  /** One request of one user. */
  public record Request(String user, String key, String route, byte[] bodyHash) {}

  /** What to do with a request. */
  public sealed interface Verdict {
    /** It is the first: carry it out, then {@link #finish} or {@link #forget}. */
    record First() implements Verdict {}

    /** It was carried out: give this reply again. */
    record Done(int status, byte[] reply) implements Verdict {}

    /** The key was used for something else. */
    record Differs() implements Verdict {}

    /** The first is still being carried out. */
    record Running() implements Verdict {}
  }

  /** Decides, and remembers a first request as running. */
  public Verdict begin(Request request, Instant now) {
    return jdbi.inTransaction(
        h -> {
          h.execute(
              "DELETE FROM idempotency_keys WHERE created_at < ?"
                  + " OR (user_name = ? AND key = ? AND status IS NULL AND created_at < ?)",
              now.minus(KEPT),
              request.user(),
              request.key(),
              now.minus(ABANDONED));
          int inserted =
              h.execute(
                  "INSERT INTO idempotency_keys (user_name, key, route, body_hash, owner,"
                      + " created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                  request.user(),
                  request.key(),
                  request.route(),
                  request.bodyHash(),
                  replica,
                  now);
          if (inserted == 1) {
            return new Verdict.First();
          }
          return h.createQuery(
                  "SELECT route, body_hash, status, reply FROM idempotency_keys"
                      + " WHERE user_name = :user AND key = :key")
              .bind("user", request.user())
              .bind("key", request.key())
              .map(
                  (rs, ctx) -> {
                    boolean same =
                        rs.getString("route").equals(request.route())
                            && Arrays.equals(rs.getBytes("body_hash"), request.bodyHash());
                    if (!same) {
                      return new Verdict.Differs();
                    }
                    int status = rs.getInt("status");
                    return rs.wasNull()
                        ? new Verdict.Running()
                        : new Verdict.Done(status, rs.getBytes("reply"));
                  })
              .findOne()
              // Removed between the two statements: the first one failed, so this one may go ahead
              // on the caller's next try.
              .orElseGet(Verdict.Running::new);
        });
  }

  /** Keeps the reply (already encrypted by the caller) of a request that was carried out. */
  public void finish(Request request, int status, byte[] reply) {
    jdbi.useHandle(
        h ->
            h.execute(
                "UPDATE idempotency_keys SET status = ?, reply = ? WHERE user_name = ? AND key = ?",
                status,
                reply,
                request.user(),
                request.key()));
  }

  /** Frees the key of a request that changed nothing. */
  public void forget(Request request) {
    jdbi.useHandle(
        h ->
            h.execute(
                "DELETE FROM idempotency_keys WHERE user_name = ? AND key = ? AND status IS NULL",
                request.user(),
                request.key()));
  }
}
