package dev.slipway.postgres.access;

import dev.slipway.engine.value.Sha256;
import dev.slipway.postgres.Races;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Rate limits for logins against password guessing, shared by all replicas. An attempt is counted
 * before the password is verified and given back when it was right, so that concurrent attempts
 * cannot exceed a limit. Three counters apply within a minute:
 *
 * <ul>
 *   <li>account and address together, strict;
 *   <li>the account from all addresses, against distributed guessing. It does not apply to
 *       addresses from which the account has signed in before, so that an attacker elsewhere cannot
 *       lock it out;
 *   <li>the address for all accounts, broad, because a company may share one. It does not apply to
 *       an account that has signed in from there before.
 * </ul>
 *
 * Unknown accounts are counted like known ones, so that limits do not reveal which exist.
 */
public final class LoginLimits {
  /** Attempts of one account from one address. */
  public static final int OF_PAIR = 5;

  /** Attempts of one account from all addresses where it has not signed in before. */
  public static final int OF_ACCOUNT = 30;

  /** Attempts of one address for all accounts that have not signed in from there before. */
  public static final int OF_ADDRESS = 60;

  /** The length of a window, from its first attempt. */
  public static final Duration WINDOW = Duration.ofMinutes(1);

  private static final String UNCOUNTED = "uncounted";
  private static final Duration FAMILIAR = Duration.ofDays(90);
  private static final int ADDRESSES_OF_ACCOUNT = 20;
  private static final int FORGOTTEN_AT_ONCE = 100;

  private final Jdbi jdbi;

  public LoginLimits(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** An attempt to sign in as an account, from an address. */
  public record Attempt(String account, String address) {}

  /** Counts an attempt; returns how long to wait when it exceeds a limit. */
  public Optional<Duration> begin(Attempt attempt, Instant now) {
    return Races.again(() -> jdbi.inTransaction(h -> count(h, attempt, now)));
  }

  private static Optional<Duration> count(Handle handle, Attempt attempt, Instant now) {
    forget(handle, now);
    // Always in this order, so that two transactions that count the same rows cannot deadlock.
    List<Counter> counters =
        isFamiliar(handle, attempt, now)
            ? List.of(pair(attempt))
            : List.of(address(attempt), account(attempt), pair(attempt));
    handle.savepoint(UNCOUNTED);
    for (Counter counter : counters) {
      if (!increment(handle, counter, now)) {
        Duration wait = Duration.between(now, end(handle, counter, now));
        handle.rollbackToSavepoint(UNCOUNTED); // a refused attempt does not count anywhere
        return Optional.of(wait);
      }
    }
    return Optional.empty();
  }

  /** The password was right: gives the attempt back and records the address as known. */
  public void succeeded(Attempt attempt, Instant now) {
    jdbi.useTransaction(
        h -> {
          if (!isFamiliar(h, attempt, now)) {
            decrement(h, address(attempt));
            decrement(h, account(attempt));
          }
          h.execute("DELETE FROM login_attempts WHERE key = ?", (Object) pair(attempt).key());
          remember(h, attempt, now);
        });
  }

  private static boolean isFamiliar(Handle handle, Attempt attempt, Instant now) {
    return handle
        .createQuery(
            "SELECT 1 FROM login_addresses"
                + " WHERE user_name = :user AND address = :address AND seen_at > :since")
        .bind("user", attempt.account())
        .bind("address", attempt.address())
        .bind("since", now.minus(FAMILIAR))
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  private static void remember(Handle handle, Attempt attempt, Instant now) {
    handle.execute(
        "INSERT INTO login_addresses (user_name, address, seen_at) VALUES (?, ?, ?)"
            + " ON CONFLICT (user_name, address) DO UPDATE SET seen_at = excluded.seen_at",
        attempt.account(),
        attempt.address(),
        now);
    handle.execute(
        "DELETE FROM login_addresses WHERE user_name = ? AND address IN (SELECT address"
            + " FROM login_addresses WHERE user_name = ? ORDER BY seen_at DESC OFFSET ?)",
        attempt.account(),
        attempt.account(),
        ADDRESSES_OF_ACCOUNT);
  }

  /** A counter's key and its limit. */
  private record Counter(byte[] key, int limit) {}

  private static Counter pair(Attempt attempt) {
    return new Counter(hash("pair", attempt.account(), attempt.address()), OF_PAIR);
  }

  private static Counter account(Attempt attempt) {
    return new Counter(hash("account", attempt.account()), OF_ACCOUNT);
  }

  private static Counter address(Attempt attempt) {
    return new Counter(hash("address", attempt.address()), OF_ADDRESS);
  }

  private static byte[] hash(String... parts) {
    MessageDigest digest = Sha256.digest();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
      digest.update((byte) ':');
      digest.update(bytes);
    }
    return digest.digest();
  }

  /** False when the limit is reached. */
  private static boolean increment(Handle handle, Counter counter, Instant now) {
    return handle
            .createUpdate(
                """
                INSERT INTO login_attempts AS a (key, attempts, expires_at)
                VALUES (:key, 1, :end)
                ON CONFLICT (key) DO UPDATE
                   SET attempts = CASE WHEN a.expires_at <= :now THEN 1 ELSE a.attempts + 1 END,
                       expires_at = CASE WHEN a.expires_at <= :now THEN :end ELSE a.expires_at END
                 WHERE a.expires_at <= :now OR a.attempts < :limit
                """)
            .bind("key", counter.key())
            .bind("now", now)
            .bind("end", now.plus(WINDOW))
            .bind("limit", counter.limit())
            .execute()
        == 1;
  }

  private static void decrement(Handle handle, Counter counter) {
    handle.execute(
        "UPDATE login_attempts SET attempts = attempts - 1 WHERE key = ? AND attempts > 0",
        (Object) counter.key());
  }

  private static Instant end(Handle handle, Counter counter, Instant now) {
    return handle
        .createQuery("SELECT expires_at FROM login_attempts WHERE key = :key")
        .bind("key", counter.key())
        .mapTo(Timestamp.class)
        .findOne()
        .map(Timestamp::toInstant)
        .orElse(now);
  }

  /** Deletes more rows than an attempt inserts, so the table does not grow under attack. */
  private static void forget(Handle handle, Instant now) {
    handle.execute(
        "DELETE FROM login_attempts WHERE key IN (SELECT key FROM login_attempts"
            + " WHERE expires_at < ? ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)",
        now,
        FORGOTTEN_AT_ONCE);
  }
}
