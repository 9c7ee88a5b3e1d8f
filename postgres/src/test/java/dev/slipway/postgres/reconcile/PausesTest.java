package dev.slipway.postgres.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PausesTest {
  private static final Duration WAITED = Duration.ofSeconds(1);

  private final AtomicLong time = new AtomicLong();
  private final Pauses pauses = new Pauses(time::get);

  private void pass(Duration by) {
    time.addAndGet(by.toNanos());
  }

  /** The pauses of a key that is found locked so often in a row. */
  private List<Duration> pauses(int tries, Runnable locked) {
    List<Duration> found = new ArrayList<>();
    for (int i = 0; i < tries; i++) {
      locked.run();
      Duration pause = pauses.shortest().orElseThrow();
      found.add(pause);
      pass(pause);
      assertThat(pauses.now()).isEmpty();
    }
    return found;
  }

  private static List<Duration> millis(long... millis) {
    return java.util.Arrays.stream(millis).mapToObj(Duration::ofMillis).toList();
  }

  @Test
  void a_locked_key_is_tried_again_soon_and_later_each_time() {
    assertThat(pauses(7, () -> pauses.locked("a")))
        .isEqualTo(millis(50, 100, 200, 400, 800, 1000, 1000));
  }

  @Test
  void four_keys_with_locked_rows_leave_most_of_the_time_of_four_workers_to_other_keys() {
    List<Duration> tries = pauses(8, () -> pauses.rowLocked("a", WAITED));
    assertThat(tries).startsWith(millis(1000, 2000, 4000, 8000, 16_000).toArray(Duration[]::new));
    Duration waiting = WAITED.multipliedBy(tries.size());
    Duration all = Stream.concat(tries.stream(), Stream.of(waiting)).reduce(Duration::plus).get();
    assertThat(waiting.multipliedBy(10)).as("of %s", all).isLessThan(all);
  }

  @Test
  void a_turn_ends_the_row_of_pauses() {
    pauses(5, () -> pauses.locked("a"));
    pauses.afterTurn("a", Duration.ofMillis(1));
    assertThat(pauses.shortest()).isEmpty();
    assertThat(pauses(1, () -> pauses.locked("a"))).isEqualTo(millis(50));
  }

  @Test
  void a_key_that_was_not_tried_for_long_begins_with_a_short_pause() {
    pauses(8, () -> pauses.rowLocked("a", WAITED));
    pass(Duration.ofSeconds(30));
    assertThat(pauses.now()).isEmpty();
    assertThat(pauses(1, () -> pauses.locked("a"))).isEqualTo(millis(50));
  }

  @Test
  void the_end_of_a_pause_is_not_missed_by_a_loop_that_looked_just_before() {
    pauses.locked("a");
    assertThat(pauses.now()).containsExactly("a");
    pass(Duration.ofSeconds(1));
    assertThat(pauses.shortest()).contains(Duration.ZERO);
    assertThat(pauses.now()).isEmpty();
    assertThat(pauses.shortest()).isEmpty();
  }

  @Test
  void a_long_turn_is_followed_by_a_rest() {
    pauses.afterTurn("a", Duration.ofMillis(200));
    assertThat(pauses.shortest()).contains(Duration.ofMillis(600));
    pauses.afterTurn("a", Duration.ofSeconds(10));
    assertThat(pauses.shortest()).contains(Duration.ofSeconds(2));
    pauses.afterTurn("a", Duration.ofMillis(20));
    assertThat(pauses.now()).isEmpty();
  }
}
