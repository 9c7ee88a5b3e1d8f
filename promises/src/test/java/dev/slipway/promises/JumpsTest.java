package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.promises.Jumps.Jump;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JumpsTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private final Jumps jumps = new Jumps();

  @Test
  void without_a_jump_times_are_what_they_say() {
    jumps.add(new Jump(NOON, Duration.ofMillis(3)));

    assertThat(jumps.between(NOON, NOON.plusSeconds(1))).isZero();
    assertThat(jumps.elapsed(NOON, NOON.plusSeconds(1))).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void a_jump_explains_as_much_as_it_was_and_only_near_it() {
    jumps.add(new Jump(NOON, Duration.ofSeconds(2)));

    assertThat(jumps.between(NOON.minusSeconds(1), NOON.plusSeconds(1))).hasSeconds(2);
    assertThat(jumps.between(NOON.plusSeconds(2), NOON.plusSeconds(1))).hasSeconds(2);
    assertThat(jumps.between(NOON.plusSeconds(8), NOON.plusSeconds(9))).isZero();
    assertThat(jumps.between(NOON.minusSeconds(9), NOON.minusSeconds(8))).isZero();
  }

  @Test
  void jumps_back_count_as_much() {
    jumps.add(new Jump(NOON, Duration.ofSeconds(-2)));

    assertThat(jumps.between(NOON, NOON.plusSeconds(1))).hasSeconds(2);
    assertThat(jumps.elapsed(NOON.minusSeconds(1), NOON.plusSeconds(1))).hasSeconds(4);
  }

  @Test
  void a_machine_that_was_away_did_not_wait() {
    jumps.add(new Jump(NOON, Duration.ofSeconds(26)));

    assertThat(jumps.elapsed(NOON.minusSeconds(30), NOON.plusSeconds(4))).hasSeconds(8);
  }
}
