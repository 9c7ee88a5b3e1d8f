package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimFairnessTest {
  @Test
  void a_replica_alone_waits_for_nobody_and_takes_what_it_can() {
    assertThat(ClaimFairness.pause(900, 0)).isZero();
    assertThat(ClaimFairness.atMost(100, 0, 0)).isEqualTo(100);
  }

  @Test
  void whoever_has_nothing_to_do_goes_first() {
    assertThat(ClaimFairness.pause(0, 2)).isZero();
    assertThat(ClaimFairness.pause(1, 2)).isPositive().isLessThan(ClaimFairness.pause(2, 2));
  }

  @Test
  void nobody_waits_long() {
    assertThat(ClaimFairness.pause(1000, 2)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void whoever_cannot_carry_out_what_it_takes_lets_everybody_else_go_first() {
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
