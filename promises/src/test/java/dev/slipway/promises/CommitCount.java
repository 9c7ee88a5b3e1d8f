package dev.slipway.promises;

import dev.slipway.promises.KilledServerTest.Point;
import dev.slipway.promises.KilledServerTest.Side;
import dev.slipway.testbed.PostgresProxy.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Counts the commits of a life by kind. */
final class CommitCount {
  /** The n-th commit of a kind. */
  record Place(String commit, int occurrence) {
    static Place of(Point point) {
      return new Place(point.commit(), point.occurrence());
    }

    Point at(Side side) {
      return new Point(commit, occurrence, side);
    }
  }

  private final Map<String, Integer> seen = new HashMap<>();
  private final Map<Long, Place> numbered = new HashMap<>();

  /** The place of a commit that comes now; none when it does not count. */
  synchronized Optional<Place> next(Transaction transaction) {
    if (!Commit.counts(transaction)) {
      return Optional.empty();
    }
    String commit = Commit.label(transaction);
    Place place = new Place(commit, seen.merge(commit, 1, Integer::sum));
    numbered.put(transaction.number(), place);
    return Optional.of(place);
  }

  /** The places of all that came. */
  synchronized Set<Place> all() {
    return Set.copyOf(numbered.values());
  }

  /** The place that a commit was given when it came. */
  synchronized Optional<Place> same(Transaction transaction) {
    return Optional.ofNullable(numbered.get(transaction.number()));
  }
}
