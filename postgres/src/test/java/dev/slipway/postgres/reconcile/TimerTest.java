package dev.slipway.postgres.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimerTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Wake EVERYTHING = new Wake.Everything(Set.of());
  private static final Wake ITEMS = new Wake.Items(Set.of("one"), Set.of());

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 4", "6, 32", "7, 60", "100, 60", "2147483647, 60"})
  void each_failure_doubles_the_wait_up_to_a_minute(int failures, int seconds) {
    assertThat(Backoff.after(failures)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void a_turn_for_everything_replaces_the_timer() {
    Optional<Timer> before = Optional.of(new Timer(NOW, 3));
    Timer later = new Timer(NOW.plusSeconds(9), 0);
    assertThat(Timer.after(before, EVERYTHING, Next.DONE)).isEmpty();
    assertThat(Timer.after(before, EVERYTHING, new Next.At(later.dueAt()))).contains(later);
  }

  @Test
  void a_turn_for_items_only_brings_the_timer_forward() {
    Timer before = new Timer(NOW.plusSeconds(5), 0);
    assertThat(Timer.after(Optional.of(before), ITEMS, Next.DONE)).contains(before);
    assertThat(Timer.after(Optional.of(before), ITEMS, new Next.At(NOW.plusSeconds(9))))
        .contains(before);
    assertThat(Timer.after(Optional.of(before), ITEMS, new Next.At(NOW)))
        .contains(new Timer(NOW, 0));
    assertThat(Timer.after(Optional.empty(), ITEMS, Next.DONE)).isEmpty();
    assertThat(Timer.after(Optional.empty(), ITEMS, new Next.At(NOW))).contains(new Timer(NOW, 0));
  }

  @Test
  void only_a_key_that_failed_waits_for_its_timer_before_a_signal_counts() {
    assertThat(new Timer(NOW.plusSeconds(1), 1).backsOff(NOW)).isTrue();
    assertThat(new Timer(NOW, 1).backsOff(NOW)).isFalse();
    assertThat(new Timer(NOW.plusSeconds(1), 0).backsOff(NOW)).isFalse();
  }
}
