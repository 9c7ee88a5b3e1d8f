package dev.slipway.postgres.access;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Races;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Replies stored under the caller's idempotency key, so that a request sent twice is executed once.
 * The database decides which of two concurrent requests is the first. The effect of a request and
 * its reply are one transaction: after a crash both exist or neither.
 */
public final class RepeatedRequests {
  /** How long a reply is kept. */
  public static final Duration KEPT = Duration.ofHours(24);

  /**
   * A request without a reply after this time died with its server; another replica may take its
   * key over. A restart of the same server frees it at once.
   */
  public static final Duration ABANDONED = Duration.ofMinutes(2);

  private final Jdbi jdbi;
  private final String replica;
  private final KeyRelease release;

  /**
   * For one replica, which holds its name exclusively: keys that earlier processes of that name
   * left unfinished are freed.
   */
  public RepeatedRequests(Jdbi jdbi, String replica, Threads threads) {
    this.jdbi = jdbi;
    this.replica = replica;
    this.release = new KeyRelease(this::settle, threads);
    jdbi.useHandle(
        h -> h.execute("DELETE FROM idempotency_keys WHERE status IS NULL AND owner = ?", replica));
  }

  /**
   * One request of one user. {@code route} is method, path and query; a key is unique per method
   * and path, so one key sent to two routes means two requests.
   */
  public record Request(String user, String key, String route, byte[] bodyHash) {
    public String scope() {
      int query = route.indexOf('?');
      return query < 0 ? route : route.substring(0, query);
    }
  }

  /** How to handle a request. */
  public sealed interface Verdict {
    /** The first one, started at that time: {@link #carryOut} it. */
    record First(Instant begun) implements Verdict {}

    /** Already executed: send this reply again. */
    record Done(int status, byte[] reply) implements Verdict {}

    /** The key was used for another request. */
    record Differs() implements Verdict {}

    /** The first request is still executing. */
    record Running() implements Verdict {}
  }

  /** A reply, already sealed by the caller. */
  public record Reply(int status, byte[] sealed) {}

  /** Classifies a request, and stores a first one as running. */
  public Verdict begin(Request request, Instant clock) {
    Instant now = clock.truncatedTo(ChronoUnit.MICROS);
    try {
      return decide(request, now);
    } catch (RuntimeException e) {
      // The commit's outcome is unknown.
      release.add(request, new Verdict.First(now));
      throw e;
    }
  }

  private Verdict decide(Request request, Instant now) {
    return jdbi.inTransaction(
        h -> {
          h.execute(
              "DELETE FROM idempotency_keys WHERE created_at < ?"
                  + " OR (user_name = ? AND key = ? AND scope = ? AND status IS NULL"
                  + " AND created_at < ?)",
              now.minus(KEPT),
              request.user(),
              request.key(),
              request.scope(),
              now.minus(ABANDONED));
          if (remember(h, request, now) == 1) {
            return new Verdict.First(now);
          }
          return h.createQuery(
                  "SELECT route, body_hash, status, reply FROM idempotency_keys"
                      + " WHERE user_name = :user AND key = :key AND scope = :scope")
              .bind("user", request.user())
              .bind("key", request.key())
              .bind("scope", request.scope())
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
              // Deleted between the two statements: the first request failed, so the client's next
              // retry may execute.
              .orElseGet(Verdict.Running::new);
        });
  }

  /** Waits for a concurrent transaction that inserts the same key. */
  private int remember(Handle handle, Request request, Instant now) {
    return handle.execute(
        "INSERT INTO idempotency_keys (user_name, key, route, body_hash, owner,"
            + " created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        request.user(),
        request.key(),
        request.route(),
        request.bodyHash(),
        replica,
        now);
  }

  /**
   * Frees a key when it is unknown whether a transaction of this replica was committed. That
   * transaction may still commit: inserting the same key waits for its end, so nothing can follow.
   */
  private void settle(Request request, Verdict.First first) {
    jdbi.useTransaction(
        h -> {
          remember(h, request, first.begun());
          forget(h, request, first);
        });
  }

  /**
   * Executes a first request: its effects in this database on this thread, and the stored reply,
   * are one transaction. A request that failed, or whose reply is not stored, may be sent again.
   *
   * @param kept the reply to store for a result
   */
  public <T> T carryOut(
      Request request, Verdict.First first, Callable<T> work, Function<T, Optional<Reply>> kept)
      throws Exception {
    try {
      return Races.again(
          () ->
              jdbi.inTransaction(
                  h -> {
                    T result = work.call();
                    kept.apply(result)
                        .ifPresentOrElse(
                            reply -> keep(h, request, first, reply),
                            () -> forget(h, request, first));
                    return result;
                  }));
    } catch (Exception e) {
      try {
        jdbi.useHandle(h -> forget(h, request, first));
      } catch (RuntimeException alsoAway) {
        e.addSuppressed(alsoAway);
        release.add(request, first);
      }
      throw e;
    }
  }

  /**
   * Executes a request without a key: its effects in this database on this thread are one
   * transaction, which is retried as a whole when it loses a race.
   */
  public <T> T carryOut(Callable<T> work) throws Exception {
    return Races.again(() -> jdbi.inTransaction(h -> work.call()));
  }

  /**
   * A slow request may have been declared abandoned and taken over by another replica: then this
   * transaction must roll back.
   */
  private void keep(Handle handle, Request request, Verdict.First first, Reply reply) {
    int rows =
        handle.execute(
            "UPDATE idempotency_keys SET status = ?, reply = ? WHERE user_name = ? AND key = ?"
                + " AND scope = ? AND status IS NULL AND owner = ? AND created_at = ?",
            reply.status(),
            reply.sealed(),
            request.user(),
            request.key(),
            request.scope(),
            replica,
            first.begun());
    if (rows != 1) {
      throw new TakenOverException();
    }
  }

  /** Another replica executes the request; this transaction was rolled back. */
  public static final class TakenOverException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void forget(Handle handle, Request request, Verdict.First first) {
    handle.execute(
        "DELETE FROM idempotency_keys WHERE user_name = ? AND key = ? AND scope = ?"
            + " AND status IS NULL AND owner = ? AND created_at = ?",
        request.user(),
        request.key(),
        request.scope(),
        replica,
        first.begun());
  }
}
