package dev.slipway.server.access;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Slows guessing down: after some failures for one account or from one address, further tries are
 * refused until the oldest of them is a while ago. Bounded, because whoever guesses also chooses
 * the names.
 */
public final class FailedLogins {
  private static final int ACCOUNT_TRIES = 5;
  private static final int ADDRESS_TRIES = 20;
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int REMEMBERED = 10_000;

  private final Map<String, Deque<Instant>> failures =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Instant>> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** How long to wait before the next try; empty when it may be made now. */
  public synchronized Optional<Duration> wait(String user, String address, Instant now) {
    Optional<Duration> forAccount = wait("user " + user, ACCOUNT_TRIES, now);
    return forAccount.isPresent() ? forAccount : wait("from " + address, ADDRESS_TRIES, now);
  }

  /** Remembers a failure. */
  public synchronized void failed(String user, String address, Instant now) {
    failures.computeIfAbsent("user " + user, k -> new ArrayDeque<>()).add(now);
    failures.computeIfAbsent("from " + address, k -> new ArrayDeque<>()).add(now);
  }

  /** Forgets the failures of an account that has now signed in. */
  public synchronized void succeeded(String user) {
    failures.remove("user " + user);
  }

  private Optional<Duration> wait(String key, int tries, Instant now) {
    Deque<Instant> times = failures.get(key);
    if (times == null) {
      return Optional.empty();
    }
    while (!times.isEmpty() && !times.peekFirst().isAfter(now.minus(WINDOW))) {
      times.removeFirst();
    }
    return times.size() < tries
        ? Optional.empty()
        : Optional.of(Duration.between(now, times.peekFirst().plus(WINDOW)));
  }
}
