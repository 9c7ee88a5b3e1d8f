package dev.slipway.applications.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a gate that waits asks for looks. */
class ResourceGateTest {
  private static Instant second(double second) {
    return ResourceWords.ENDED.plusMillis((long) (second * 1000));
  }

  private static Instant next(String words, double now) {
    ResourceHealth health = ResourceWords.one("db: active " + words).health();
    return ResourceGate.nextLook(health.gate().orElseThrow(), health.observed(), second(now));
  }

  @Test
  void the_first_look_is_at_once() {
    assertThat(next("gate=closed", 17)).isEqualTo(second(17));
    assertThat(next("gate=waiting seen=Healthy@1", 17)).isEqualTo(second(17));
  }

  @Test
  void looks_are_further_and_further_apart() {
    List<Long> looks = new ArrayList<>(List.of(0L));
    while (looks.getLast() < 300) {
      long last = looks.getLast();
      Instant next = next("gate=waiting look=%d seen=Unknown@%d".formatted(last, last), last);
      looks.add(Duration.between(ResourceWords.ENDED, next).toSeconds());
    }
    assertThat(looks)
        .containsExactly(
            0L, 1L, 2L, 4L, 8L, 20L, 40L, 70L, 100L, 130L, 160L, 190L, 220L, 250L, 280L, 310L);
  }

  @Test
  void a_look_that_finds_nothing_is_waited_for_a_minute() {
    assertThat(next("gate=waiting look=10", 11)).isEqualTo(second(70));
    assertThat(next("gate=waiting look=10 seen=Unknown@9", 11)).isEqualTo(second(70));
  }
}
