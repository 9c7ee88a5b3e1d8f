package dev.slipway.postgres.leases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void one_replica_has_all_and_two_have_half_each() {
    assertThat(Spread.quota(Map.of("a", 0), 256, "a")).isEqualTo(256);
    assertThat(Spread.quota(Map.of("a", 256, "b", 0), 256, "a")).isEqualTo(128);
    assertThat(Spread.quota(Map.of("a", 256, "b", 0), 256, "b")).isEqualTo(128);
  }

  @Test
  void the_one_more_stays_with_the_replica_that_has_it() {
    Map<String, Integer> holding = Map.of("a", 85, "b", 86, "c", 85);
    assertThat(Spread.quota(holding, 256, "a")).isEqualTo(85);
    assertThat(Spread.quota(holding, 256, "b")).isEqualTo(86);
    assertThat(Spread.quota(holding, 256, "c")).isEqualTo(85);
  }

  @Test
  void a_replica_that_is_not_among_the_live_ones_has_none() {
    assertThat(Spread.quota(Map.of("a", 3), 3, "b")).isZero();
    assertThat(Spread.quota(Map.of(), 3, "b")).isZero();
  }

  @Test
  void fewer_shards_than_replicas_leave_some_without() {
    Map<String, Integer> holding = Map.of("a", 0, "b", 1, "c", 1);
    assertThat(Spread.quota(holding, 2, "a")).isZero();
    assertThat(Spread.quota(holding, 2, "b")).isOne();
    assertThat(Spread.quota(holding, 2, "c")).isOne();
  }

  @Test
  void shares_add_up_and_differ_by_one_at_most_whatever_is_held() {
    Random random = new Random(7);
    for (int round = 0; round < 1_000; round++) {
      int shards = 1 + random.nextInt(300);
      Map<String, Integer> holding = new HashMap<>();
      for (int i = 0; i <= random.nextInt(8); i++) {
        holding.put("replica " + i, random.nextInt(300));
      }
      var shares =
          holding.keySet().stream().mapToInt(r -> Spread.quota(holding, shards, r)).toArray();
      assertThat(shares.length).isEqualTo(holding.size());
      assertThat(java.util.Arrays.stream(shares).sum()).isEqualTo(shards);
      assertThat(
              java.util.Arrays.stream(shares).max().orElseThrow()
                  - java.util.Arrays.stream(shares).min().orElseThrow())
          .isLessThanOrEqualTo(1);
    }
  }
}
