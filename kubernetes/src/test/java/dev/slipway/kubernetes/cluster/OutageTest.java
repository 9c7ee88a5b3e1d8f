package dev.slipway.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Requests to a cluster that is down fail at once, but for one that tries. */
class OutageTest {
  private final Instant now = Instant.EPOCH;
  private final Outage outage = new Outage();

  @Test
  void pauses_grow_to_a_bound_and_end_with_an_answer() {
    assertThat(outage.wait(now)).isEmpty();
    assertThat(outage.failed(now)).isEqualTo(Duration.ofSeconds(1));
    assertThat(outage.failed(now)).isEqualTo(Duration.ofSeconds(2));
    for (int i = 0; i < 40; i++) {
      outage.failed(now);
    }
    assertThat(outage.failed(now)).isEqualTo(Duration.ofSeconds(15));
    assertThat(outage.wait(now.plusSeconds(14))).contains(Duration.ofSeconds(1));
    outage.answered();
    assertThat(outage.wait(now)).isEmpty();
  }

  @Test
  void after_the_pause_one_request_tries_and_the_others_wait_for_it() {
    outage.failed(now);
    Instant later = now.plusSeconds(1);
    assertThat(outage.wait(later)).isEmpty();
    assertThat(outage.wait(later)).isPresent();
  }
}
