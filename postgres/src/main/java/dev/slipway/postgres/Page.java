package dev.slipway.postgres;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A page of a list.
 *
 * @param next the position of the next page; empty at the end
 * @param total the number of rows on all pages
 */
public record Page<T>(List<T> data, Optional<String> next, long total) {

  /** Builds a page from rows of a query that read one more than requested. */
  public static <T> Page<T> of(List<T> rows, Ask ask, long total, Function<T, String> key) {
    return of(rows, ask.limit(), total, key);
  }

  /** Cuts the extra row that a query reads to find out whether there is a next page. */
  public static <T> Page<T> of(List<T> rows, int limit, long total, Function<T, String> key) {
    if (rows.size() <= limit) {
      return new Page<>(List.copyOf(rows), Optional.empty(), total);
    }
    List<T> data = List.copyOf(rows.subList(0, limit));
    return new Page<>(data, Optional.of(key.apply(data.getLast())), total);
  }

  /** The requested page: size and position. */
  public record Ask(int limit, Optional<String> after) {
    /** The largest page. */
    public static final int MOST = 100;

    /** The first fifty. */
    public static final Ask FIRST = new Ask(50, Optional.empty());

    public Ask {
      limit = Math.clamp(limit, 1, MOST);
    }
  }
}
