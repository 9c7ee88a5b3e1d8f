package dev.slipway.postgres;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which lists were longer than {@link Total#MOST} a moment ago. Counting that far takes longer than
 * reading a page, and a list that long does not become short within seconds.
 */
public final class LongLists {
  private static final Duration KEPT = Duration.ofSeconds(10);

  /** Bounds memory: each filter that callers think of is a key. */
  private static final int MOST_KEYS = 1_000;

  private final Map<Object, Long> counted = new ConcurrentHashMap<>();

  /** The number of rows of the list, counted unless it is known that there are too many. */
  public long total(Object list, LongSupplier count) {
    Long at = counted.get(list);
    if (at != null && System.nanoTime() - at < KEPT.toNanos()) {
      return Total.MOST + 1L;
    }
    long rows = count.getAsLong();
    if (rows > Total.MOST) {
      if (counted.size() >= MOST_KEYS) {
        counted.clear();
      }
      counted.put(list, System.nanoTime());
    } else {
      counted.remove(list);
    }
    return rows;
  }
}
