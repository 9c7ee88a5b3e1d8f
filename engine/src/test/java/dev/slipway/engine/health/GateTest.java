package dev.slipway.engine.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.GateReason.Code;
import dev.slipway.engine.health.GateRequest.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Times are seconds after the request, whose timeout is 300 s, with graces of 60 s and 120 s. */
class GateTest {
  private static final Instant T = Instant.parse("2026-03-01T10:00:00Z");
  private static final NodeRef NODE = new NodeRef("thing", "one", "default");
  private static final int TIMEOUT = 300;

  private static GateRequest request(int stableFor) {
    return new GateRequest(
        NODE, "a", "7", T, Limits.of(Duration.ofSeconds(TIMEOUT), Duration.ofSeconds(stableFor)));
  }

  private static Sample sample(Health health, int second, Optional<String> request, String rev) {
    return new Sample(
        NODE, health, T.plusSeconds(second), request, rev, List.of(), "2 of 3 ready", "read");
  }

  private static Observation seen(Health health, int since, int at) {
    return new Observation(
        sample(health, at, Optional.of("a"), "7"), T.plusSeconds(since), health.live());
  }

  private static Verdict judge(int stableFor, Observation observed, int now) {
    return Gate.judge(request(stableFor), Optional.of(observed), T.plusSeconds(now));
  }

  private static String text(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Open() -> "Open";
      case Verdict.Waits(GateReason reason, Instant until) ->
          reason.code().text() + " until " + Duration.between(T, until).toSeconds();
      case Verdict.Fails(GateReason reason) -> "Fails " + reason.code().text();
    };
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                                | health      | since | sampled at | stable for | now | verdict
          healthy at once                                       | HEALTHY     | 1     | 1          | 0          | 1   | Open
          healthy, judged long after the deadline               | HEALTHY     | 1     | 1          | 0          | 900 | Open
          healthy, sampled at the deadline                      | HEALTHY     | 1     | 300        | 0          | 300 | Open
          healthy, sampled after the deadline                   | HEALTHY     | 301   | 301        | 0          | 301 | Fails TimedOut
          healthy before the deadline and sampled after it      | HEALTHY     | 1     | 301        | 0          | 301 | Fails TimedOut
          healthy, not stable yet                               | HEALTHY     | 1     | 1          | 10         | 2   | Stabilising until 11
          healthy, a second before it is stable                 | HEALTHY     | 1     | 10         | 10         | 10  | Stabilising until 11
          healthy, stable by the clock, without a newer sample  | HEALTHY     | 1     | 10         | 10         | 12  | Stabilising until 300
          healthy, stable by a sample                           | HEALTHY     | 1     | 11         | 10         | 11  | Open
          healthy, stable by a sample, judged late              | HEALTHY     | 1     | 299        | 10         | 900 | Open
          healthy, stable only after the deadline               | HEALTHY     | 295   | 299        | 10         | 299 | Stabilising until 300
          healthy, the deadline comes before it is stable       | HEALTHY     | 295   | 299        | 10         | 300 | Fails TimedOut
          healthy, stable exactly at the deadline               | HEALTHY     | 290   | 300        | 10         | 300 | Open
          healthy, to be stable longer than the timeout         | HEALTHY     | 1     | 299        | 400        | 299 | Stabilising until 300
          progressing                                           | PROGRESSING | 1     | 1          | 0          | 2   | HealthProgressing until 300
          progressing, a second before the deadline             | PROGRESSING | 1     | 1          | 0          | 299 | HealthProgressing until 300
          progressing at the deadline                           | PROGRESSING | 1     | 1          | 0          | 300 | Fails TimedOut
          progressing, however stable it has to be              | PROGRESSING | 1     | 50         | 10         | 50  | HealthProgressing until 300
          suspended                                             | SUSPENDED   | 1     | 1          | 0          | 250 | HealthProgressing until 300
          suspended past the deadline                           | SUSPENDED   | 1     | 1          | 0          | 301 | Fails TimedOut
          missing and never seen                                | MISSING     | 1     | 1          | 0          | 200 | HealthProgressing until 300
          missing and never seen, at the deadline               | MISSING     | 1     | 1          | 0          | 300 | Fails TimedOut
          degraded                                              | DEGRADED    | 1     | 1          | 0          | 2   | DegradedGrace until 61
          degraded, a second before its grace is over           | DEGRADED    | 1     | 50         | 0          | 60  | DegradedGrace until 61
          degraded when its grace is over                       | DEGRADED    | 1     | 50         | 0          | 61  | Fails DependencyNotHealthy
          degraded anew has a grace of its own                  | DEGRADED    | 100   | 120        | 0          | 159 | DegradedGrace until 160
          degraded, the deadline comes before the grace is over | DEGRADED    | 280   | 281        | 0          | 281 | DegradedGrace until 300
          degraded within its grace at the deadline             | DEGRADED    | 280   | 281        | 0          | 300 | Fails TimedOut
          degraded past its grace and past the deadline         | DEGRADED    | 1     | 281        | 0          | 400 | Fails DependencyNotHealthy
          unknown                                               | UNKNOWN     | 1     | 1          | 0          | 2   | UnknownGrace until 121
          unknown, a second before its grace is over            | UNKNOWN     | 1     | 120        | 0          | 120 | UnknownGrace until 121
          unknown when its grace is over                        | UNKNOWN     | 1     | 120        | 0          | 121 | Fails DependencyNotHealthy
          unknown, the deadline comes before the grace is over  | UNKNOWN     | 250   | 251        | 0          | 251 | UnknownGrace until 300
          unknown within its grace at the deadline              | UNKNOWN     | 250   | 251        | 0          | 300 | Fails TimedOut
          failed                                                | FAILED      | 1     | 1          | 0          | 1   | Fails DependencyFailed
          failed, judged after the deadline                     | FAILED      | 1     | 1          | 0          | 900 | Fails DependencyFailed
          """)
  void a_fresh_sample_decides(
      String name, Health health, int since, int at, int stableFor, int now, String verdict) {
    assertThat(text(judge(stableFor, seen(health, since, at), now))).as(name).isEqualTo(verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                          | request | revision | sampled at | now | verdict
          of this request and revision                    | a       | 7        | 5          | 9   | Open
          of an earlier request                           | b       | 7        | 5          | 9   | StaleHealth until 300
          of no request at all                            |         | 7        | 5          | 9   | StaleHealth until 300
          of an earlier revision                          | a       | 6        | 5          | 9   | StaleHealth until 300
          of a later revision                             | a       | 8        | 5          | 9   | StaleHealth until 300
          taken when the request was made                 | a       | 7        | 0          | 9   | StaleHealth until 300
          taken before the request was made               | a       | 7        | -1         | 9   | StaleHealth until 300
          taken a second after the request was made       | a       | 7        | 1          | 9   | Open
          of an earlier request, at the deadline          | b       | 7        | 5          | 300 | Fails TimedOut
          of an earlier revision, past the deadline       | a       | 6        | 5          | 900 | Fails TimedOut
          """)
  void a_healthy_sample_counts_when_it_is(
      String name, @Nullable String request, String revision, int at, int now, String verdict) {
    Sample sample = sample(Health.HEALTHY, at, Optional.ofNullable(request), revision);
    assertThat(text(judge(0, Observation.first(sample), now))).as(name).isEqualTo(verdict);
  }

  @Test
  void what_was_seen_and_is_missing_fails_after_the_grace() {
    Observation gone =
        Observation.first(sample(Health.PROGRESSING, 1, Optional.of("a"), "7"))
            .then(sample(Health.MISSING, 5, Optional.of("a"), "7"));
    assertThat(text(judge(0, gone, 6))).isEqualTo("DegradedGrace until 65");
    assertThat(text(judge(0, gone, 65))).isEqualTo("Fails DependencyNotHealthy");
  }

  @Test
  void what_was_never_looked_at_waits_until_the_deadline() {
    GateRequest request = request(0);
    assertThat(text(Gate.judge(request, Optional.empty(), T))).isEqualTo("StaleHealth until 300");
    assertThat(text(Gate.judge(request, Optional.empty(), T.plusSeconds(TIMEOUT))))
        .isEqualTo("Fails TimedOut");
  }

  /** Every health with every way to be stale, before and after the deadline. */
  static Stream<Sample> staleSamples() {
    List<Sample> all = new ArrayList<>();
    for (Health health : Health.values()) {
      all.add(sample(health, 5, Optional.of("b"), "7"));
      all.add(sample(health, 5, Optional.empty(), "7"));
      all.add(sample(health, 5, Optional.of("a"), "6"));
      all.add(sample(health, 0, Optional.of("a"), "7"));
      all.add(sample(health, -1, Optional.of("a"), "7"));
      all.add(
          new Sample(
              NODE,
              health,
              T.plusSeconds(5),
              Optional.empty(),
              "7",
              List.of(new Stale("observedGeneration", "4", "3")),
              "",
              "Deployment"));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("staleSamples")
  void a_stale_sample_never_counts_good_or_bad(Sample stale) {
    for (int now = 1; now < TIMEOUT; now += 13) {
      Verdict verdict = judge(0, Observation.first(stale), now);
      assertThat(text(verdict)).isEqualTo("StaleHealth until 300");
      assertThat(((Verdict.Waits) verdict).reason().stale()).isNotEmpty();
    }
    assertThat(text(judge(0, Observation.first(stale), TIMEOUT))).isEqualTo("Fails TimedOut");
  }

  @Test
  void the_failed_test_is_named_with_both_values() {
    Verdict verdict =
        judge(0, Observation.first(sample(Health.HEALTHY, 5, Optional.of("a"), "6")), 9);
    assertThat(((Verdict.Waits) verdict).reason().detail()).isEqualTo("revision: wanted 7, seen 6");
  }

  @ParameterizedTest
  @EnumSource(value = Health.class, mode = EnumSource.Mode.EXCLUDE, names = "HEALTHY")
  void nothing_but_healthy_opens_a_gate_at_any_time(Health health) {
    for (int now = 1; now < 2 * TIMEOUT; now += 7) {
      for (int at = 1; at <= now; at += 29) {
        assertThat(judge(0, seen(health, at, at), now)).isNotInstanceOf(Verdict.Open.class);
      }
    }
  }

  @Test
  void a_gate_that_waits_says_when_its_verdict_may_change() {
    for (Health health : Health.values()) {
      for (int stableFor : List.of(0, 10, 400)) {
        for (int now = 1; now < TIMEOUT; now++) {
          Verdict verdict = judge(stableFor, seen(health, 1, 1), now);
          if (verdict instanceof Verdict.Waits(GateReason reason, Instant until)) {
            assertThat(until).isAfter(T.plusSeconds(now));
            assertThat(reason.code()).isNotEqualTo(Code.TIMED_OUT);
          }
        }
      }
    }
  }
}
