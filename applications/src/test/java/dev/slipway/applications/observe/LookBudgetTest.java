package dev.slipway.applications.observe;

import static dev.slipway.applications.observe.LookBudget.Cause.ASKED;
import static dev.slipway.applications.observe.LookBudget.Cause.SCHEDULE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.observe.LookBudget.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookBudgetTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
  private static final LookPlan PLAN = new LookPlan(Duration.ofMinutes(5), 1000);

  private final LookBudget budget = new LookBudget(new Limits(8, 4, 3));

  private List<UUID> begin(int looks, String provider, Instant now) {
    List<UUID> runs = new ArrayList<>();
    for (int i = 0; i < looks; i++) {
      UUID run = UUID.randomUUID();
      budget.begun(PLAN, run, provider, now);
      runs.add(run);
    }
    return runs;
  }

  @ParameterizedTest(name = "with {0} under way {1} of the schedule and {2} asked for may begin")
  @CsvSource({"0, 4, 8", "1, 3, 7", "3, 1, 5", "4, 0, 4", "7, 0, 1", "8, 0, 0", "9, 0, 0"})
  void looks_of_the_schedule_leave_room_for_those_that_are_asked_for(
      int underWay, int ofSchedule, int asked) {
    begin(underWay, "acme", NOW);
    Instant later = NOW.plus(PLAN.window());
    assertThat(budget.room(PLAN, SCHEDULE, later)).isEqualTo(ofSchedule);
    assertThat(budget.room(PLAN, ASKED, later)).isEqualTo(asked);
  }

  @Test
  void a_provider_that_does_not_answer_fills_its_own_share_only() {
    List<UUID> hung = begin(3, "hung", NOW);
    assertThat(budget.admits("hung")).isFalse();
    assertThat(budget.admits("acme")).isTrue();
    budget.ended(hung);
    assertThat(budget.admits("hung")).isTrue();
  }

  @Test
  void no_more_than_its_rate_begin_in_a_window_by_schedule() {
    for (int i = 0; i < PLAN.perPause(); i++) {
      assertThat(budget.room(PLAN, SCHEDULE, NOW)).isPositive();
      budget.ended(begin(1, "acme", NOW));
    }
    Instant next = NOW.plus(PLAN.window());
    assertThat(budget.room(PLAN, SCHEDULE, next.minusMillis(1))).isZero();
    assertThat(budget.room(PLAN, ASKED, NOW)).isEqualTo(8);
    assertThat(budget.room(PLAN, SCHEDULE, next)).isEqualTo(4);
  }

  @Test
  void it_is_full_when_the_ends_of_looks_have_to_be_asked_for() {
    List<UUID> runs = begin(2, "acme", NOW);
    assertThat(budget.full()).isFalse();
    runs.addAll(begin(1, "acme", NOW));
    assertThat(budget.full()).as("the share of the provider is").isTrue();
    assertThat(budget.underWay()).isEqualTo(Set.copyOf(runs));
    budget.ended(runs.subList(0, 1));
    assertThat(budget.full()).isFalse();
  }

  private record Look(UUID run, Instant end) {}

  /** By a clock that is turned by hand: a turn of the queue every 100 ms. */
  @ParameterizedTest(name = "{0} are due, a look takes {1} ms: all have begun after {2} s")
  @CsvSource({"10000, 20, 155", "10000, 500, 160", "10000, 1500, 300", "1000, 500, 65"})
  void what_was_due_all_at_once_has_begun_within_the_interval(
      int resources, int millis, int seconds) {
    LookBudget usual = new LookBudget(Limits.DEFAULT);
    LookPlan plan = new LookPlan(Duration.ofMinutes(5), resources);
    Queue<Look> underWay = new ArrayDeque<>();
    int left = resources;
    Instant now = NOW;
    while (left > 0) {
      now = now.plusMillis(100);
      while (!underWay.isEmpty() && !underWay.element().end().isAfter(now)) {
        usual.ended(Set.of(underWay.remove().run()));
      }
      int room = Math.min(left, usual.room(plan, SCHEDULE, now));
      for (int i = 0; i < room; i++) {
        Look look = new Look(UUID.randomUUID(), now.plusMillis(millis));
        usual.begun(plan, look.run(), "acme " + i, now);
        underWay.add(look);
      }
      left -= room;
      assertThat(underWay.size()).isLessThanOrEqualTo(Limits.DEFAULT.ofSchedule());
    }
    assertThat(Duration.between(NOW, now)).isLessThanOrEqualTo(Duration.ofSeconds(seconds));
  }
}
