package dev.slipway.postgres.applications;

import java.util.List;
import java.util.Optional;

/**
 * Part of a list.
 *
 * @param next what to ask with for the part after this one; empty at the end
 * @param total how many there are in all parts
 */
public record Page<T>(List<T> data, Optional<String> next, long total) {

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
