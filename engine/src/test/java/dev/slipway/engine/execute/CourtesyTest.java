package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CourtesyTest {
  @Test
  void a_replica_alone_waits_for_nobody_and_takes_what_it_can() {
    assertThat(Courtesy.pause(900, 0)).isZero();
    assertThat(Courtesy.atMost(100, 0, 0)).isEqualTo(100);
  }

  @Test
  void whoever_has_nothing_to_do_goes_first() {
    assertThat(Courtesy.pause(0, 2)).isZero();
    assertThat(Courtesy.pause(1, 2)).isPositive().isLessThan(Courtesy.pause(2, 2));
  }

  @Test
  void nobody_waits_long() {
    assertThat(Courtesy.pause(1000, 2)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void whoever_cannot_carry_out_what_it_takes_lets_everybody_else_go_first() {
    assertThat(Courtesy.pauseOfOneThatLacks(1)).isGreaterThan(Courtesy.pause(1000, 1));
    assertThat(Courtesy.pauseOfOneThatLacks(0)).isZero();
  }

  @Test
  void a_burst_is_not_taken_at_once_and_a_long_queue_is_worked_off_in_full_batches() {
    assertThat(Courtesy.atMost(100, 0, 1)).isEqualTo(4);
    assertThat(Courtesy.atMost(100, 30, 1)).isEqualTo(30);
    assertThat(Courtesy.atMost(100, 500, 1)).isEqualTo(100);
    assertThat(Courtesy.atMost(3, 0, 1)).isEqualTo(3);
  }
}
