package dev.slipway.postgres.leases;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** How many shards each live replica should hold: an equal share, or one more. */
final class Spread {
  private Spread() {}

  /**
   * The replica's share. Where the shards do not divide evenly, the replicas that hold most keep
   * the extra ones, so that no shard moves without need.
   *
   * @param holding how many shards each live replica holds
   */
  static int quota(Map<String, Integer> holding, int shards, String replica) {
    List<String> order =
        holding.entrySet().stream()
            .sorted(
                Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    int rank = order.indexOf(replica);
    if (rank < 0) {
      return 0;
    }
    return shards / order.size() + (rank < shards % order.size() ? 1 : 0);
  }
}
