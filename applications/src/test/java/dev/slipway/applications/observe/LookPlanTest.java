package dev.slipway.applications.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.observe.LookPlan.Unobserved;
import dev.slipway.applications.observe.LookPlan.Way;
import dev.slipway.engine.resolve.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookPlanTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

  private static LookPlan plan(String interval, long resources) {
    return new LookPlan(Duration.parse(interval), resources);
  }

  @ParameterizedTest
  @CsvSource({"PT5S", "PT1M", "PT5M", "PT1H", "P7D"})
  void the_next_look_begins_within_the_interval_though_its_shard_rests(String interval) {
    LookPlan plan = plan(interval, 1000);
    Duration whole = plan.interval();
    Set<Instant> dues = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      Instant now = NOW.plusSeconds(i % 7);
      Instant due = plan.next(UUID.randomUUID(), now);
      assertThat(due)
          .isBetween(
              now.plus(whole.multipliedBy(8).dividedBy(10)), now.plus(whole).minus(plan.pause()));
      dues.add(due);
    }
    assertThat(dues).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @CsvSource({"PT5S, PT0.083333333S", "PT1M, PT1S", "PT5M, PT5S", "PT1H, PT5S", "PT1S, PT0.05S"})
  void a_shard_rests_for_a_small_part_of_the_interval(String interval, String pause) {
    assertThat(plan(interval, 1).pause()).isEqualTo(Duration.parse(pause));
  }

  @ParameterizedTest
  @CsvSource({"PT5S", "PT5M", "PT1H"})
  void what_its_provider_has_no_room_for_is_tried_again_in_the_first_half(String interval) {
    LookPlan plan = plan(interval, 1000);
    for (int i = 0; i < 200; i++) {
      assertThat(plan.putOff(UUID.randomUUID(), NOW))
          .isAfter(NOW)
          .isBeforeOrEqualTo(NOW.plus(plan.interval().dividedBy(2)));
    }
  }

  @ParameterizedTest(name = "{1} resources every {0}: {2} a second")
  @CsvSource({
    "PT5M,       0,   16",
    "PT5M,     100,   16",
    "PT5M,    2400,   16",
    "PT5M,    2401,   17",
    "PT5M,   10000,   67",
    "PT5M,  100000,  667",
    "PT5S,      10,   16",
    "PT5S,     100,   40",
    "PT1H,   10000,   16",
    "P7D,  1000000,   16",
  })
  void the_schedule_has_twice_the_looks_that_the_resources_need(
      String interval, long resources, int perSecond) {
    LookPlan plan = plan(interval, resources);
    assertThat(plan.perSecond()).isEqualTo(perSecond);
    assertThat(plan.perPause()).isEqualTo(perSecond * Math.max(1, plan.pause().toSeconds()));
  }

  @ParameterizedTest
  @CsvSource({
    "PT5S, PT30M, PT1M",
    "PT5M, PT30M, PT5M",
    "PT1H, PT30M, PT30M",
    "PT5M, PT2M,  PT2M",
  })
  void a_look_may_take_until_the_next_one_is_due(String interval, String longestRun, String limit) {
    assertThat(plan(interval, 1).limit(Duration.parse(longestRun)))
        .isEqualTo(Duration.parse(limit));
  }

  @ParameterizedTest
  @CsvSource({
    "PT-1S,    false",
    "PT0S,     false",
    "PT2M29S,  false",
    "PT2M30S,  true",
    "PT5M,     true",
  })
  void drift_is_mended_half_an_interval_after_the_last_run_at_the_earliest(
      String later, boolean mends) {
    assertThat(plan("PT5M", 1).mends(NOW.plus(Duration.parse(later)), NOW)).isEqualTo(mends);
  }

  @Test
  void the_success_of_a_run_counts_for_one_interval() {
    LookPlan plan = plan("PT5M", 1);
    Instant ended = NOW.minusSeconds(299);
    assertThat(plan.unobserved(Optional.of(ended), NOW))
        .isEqualTo(new Unobserved.Counts(ended, NOW.plusSeconds(1)));
    Unobserved unknown = new Unobserved.Unknown(NOW.plus(Duration.ofDays(1)));
    assertThat(plan.unobserved(Optional.of(NOW.minusSeconds(300)), NOW)).isEqualTo(unknown);
    assertThat(plan.unobserved(Optional.empty(), NOW)).isEqualTo(unknown);
  }

  @Test
  void what_cannot_be_looked_at_says_why() {
    assertThat(LookPlan.way(new Resolution.UnknownType("db", List.of()), LookPlan.Provider.ABSENT))
        .isEqualTo(new Way.NotSeen("its provider is not loaded"));
    assertThat(
            LookPlan.way(new Resolution.Barred("db", "acme", "no grant"), LookPlan.Provider.LOADED))
        .isEqualTo(new Way.NotSeen("provider 'acme' is refused: no grant"));
  }
}
