package dev.slipway.postgres.access;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Some rows of a longer list: where the next ones start, and how many there are in all. */
public record Slice<T>(List<T> rows, Optional<String> next, long total) {

  /** Cuts the one row too many that was read to see whether there is more. */
  public static <T> Slice<T> of(List<T> rows, int limit, long total, Function<T, String> position) {
    if (rows.size() <= limit) {
      return new Slice<>(List.copyOf(rows), Optional.empty(), total);
    }
    List<T> shown = List.copyOf(rows.subList(0, limit));
    return new Slice<>(shown, Optional.of(position.apply(shown.getLast())), total);
  }
}
