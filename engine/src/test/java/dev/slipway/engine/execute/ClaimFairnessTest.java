package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimFairnessTest {
  @Test
  void a_single_replica_does_not_pause_and_claims_all_it_has_room_for() {
    assertThat(ClaimFairness.pause(900, 0)).isZero();
    assertThat(ClaimFairness.atMost(100, 0, 0)).isEqualTo(100);
  }

  @Test
  void a_replica_without_runs_claims_first() {
    assertThat(ClaimFairness.pause(0, 2)).isZero();
    assertThat(ClaimFairness.pause(1, 2)).isPositive().isLessThan(ClaimFairness.pause(2, 2));
  }

  @Test
  void no_replica_pauses_for_long() {
    assertThat(ClaimFairness.pause(1000, 2)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void a_replica_without_the_files_of_providers_claims_last() {
    assertThat(ClaimFairness.pauseOfOneThatLacks(1)).isGreaterThan(ClaimFairness.pause(1000, 1));
    assertThat(ClaimFairness.pauseOfOneThatLacks(0)).isZero();
  }

  @Test
  void a_burst_is_not_taken_at_once_and_a_long_queue_is_worked_off_in_full_batches() {
    assertThat(ClaimFairness.atMost(100, 0, 1)).isEqualTo(4);
    assertThat(ClaimFairness.atMost(100, 30, 1)).isEqualTo(30);
    assertThat(ClaimFairness.atMost(100, 500, 1)).isEqualTo(100);
    assertThat(ClaimFairness.atMost(3, 0, 1)).isEqualTo(3);
  }
}
