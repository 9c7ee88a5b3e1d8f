package dev.slipway.postgres.applications;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Part of a list.
 *
 * @param next what to ask with for the part after this one; empty at the end
 * @param total how many there are in all parts
 */
public record Page<T>(List<T> data, Optional<String> next, long total) {

  /** Of rows read one more than asked for. */
  static <T> Page<T> of(List<T> rows, Ask ask, long total, Function<T, String> key) {
    if (rows.size() <= ask.limit()) {
      return new Page<>(rows, Optional.empty(), total);
    }
    List<T> data = List.copyOf(rows.subList(0, ask.limit()));
    return new Page<>(data, Optional.of(key.apply(data.getLast())), total);
  }

  /** How many, from where on. */
  public record Ask(int limit, Optional<String> after) {
    /** At most this many. */
    public static final int MOST = 100;

    /** The first fifty. */
    public static final Ask FIRST = new Ask(50, Optional.empty());

    public Ask {
      limit = Math.clamp(limit, 1, MOST);
    }
  }
}
