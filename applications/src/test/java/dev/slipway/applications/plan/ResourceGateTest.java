package dev.slipway.applications.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.health.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a gate says about an attempt, and when one that waits asks for looks. */
class ResourceGateTest {
  private static Instant second(double second) {
    return ResourceWords.ENDED.plusMillis((long) (second * 1000));
  }

  private static Instant next(String words, double now) {
    ResourceHealth health = ResourceWords.one("db: active " + words).health();
    return ResourceGate.nextLook(health.gate().orElseThrow(), health.observed(), second(now));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          once open, Degraded closes it no more         | gate=open seen=Degraded@50               |  60 | open
          once open, it needs no sample                 | gate=open                                |  60 | open
          an attempt of the version before has none     | gate=none                                |   5 | open
          not looked at yet: the timeout begins now     | gate=closed                              |   5 | StaleHealth until 305
          not looked at while it waits                  | gate=waiting gated=10                    |  15 | StaleHealth until 310
          nothing was seen in time                      | gate=waiting gated=10                    | 310 | fails TimedOut
          Healthy                                       | gate=waiting seen=Healthy@3              |   4 | open
          Healthy before the attempt                    | gate=waiting seen=Healthy@-31            |   4 | StaleHealth until 300
          Healthy at the moment of the attempt          | gate=waiting seen=Healthy@-30            |   4 | StaleHealth until 300
          Healthy, by a look of no attempt              | gate=waiting seen=Healthy@3 stale        |   4 | StaleHealth until 300
          Failed by a look of no attempt                | gate=waiting seen=Failed@3 stale         |   4 | StaleHealth until 300
          Failed                                        | gate=waiting seen=Failed@3               |   4 | fails DependencyFailed
          Progressing                                   | gate=waiting seen=Progressing@200        | 201 | HealthProgressing until 300
          Suspended                                     | gate=waiting seen=Suspended@200          | 201 | HealthProgressing until 300
          Progressing for too long                      | gate=waiting seen=Progressing@299        | 300 | fails TimedOut
          Unknown has two minutes                       | gate=waiting gated=10 seen=Unknown@12    | 131 | UnknownGrace until 132
          Unknown for two minutes                       | gate=waiting gated=10 seen=Unknown@12    | 132 | fails DependencyNotHealthy
          Unknown before it waited uses up no grace     | gate=waiting gated=100 seen=Unknown@101,3 | 140 | UnknownGrace until 220
          Degraded has one minute                       | gate=waiting seen=Degraded@5             |  64 | DegradedGrace until 65
          Degraded for a minute                         | gate=waiting seen=Degraded@5             |  65 | fails DependencyNotHealthy
          a grace ends with the timeout                 | gate=waiting seen=Degraded@290           | 295 | DegradedGrace until 300
          Missing and never seen: not there yet         | gate=waiting seen=Missing@5              | 200 | HealthProgressing until 300
          Missing after it was seen has one minute      | gate=waiting seen=Missing@5 was-seen     |  64 | DegradedGrace until 65
          Missing for a minute after it was seen        | gate=waiting seen=Missing@5 was-seen     |  65 | fails DependencyNotHealthy
          given up, and later found Healthy             | gate=failed seen=Healthy@400             | 401 | open
          given up, and still Unknown                   | gate=failed seen=Unknown@310,0           | 311 | fails DependencyNotHealthy
          given up, and Healthy before the attempt      | gate=failed seen=Healthy@-31             | 401 | fails TimedOut
          """)
  void judges(String name, String words, int now, String verdict) {
    KnownResource resource = ResourceWords.one("db: active " + words);
    Verdict judged = ResourceGate.judge(resource, resource.health().observed(), second(now));
    assertThat(text(judged)).as(name).isEqualTo(verdict);
  }

  private static String text(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Open() -> "open";
      case Verdict.Waits(GateReason reason, Instant until) ->
          reason.code().text()
              + " until "
              + Duration.between(ResourceWords.ENDED, until).toSeconds();
      case Verdict.Fails(GateReason reason) -> "fails " + reason.code().text();
    };
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

  @Test
  void a_gate_that_gave_up_goes_on_looking_every_thirty_seconds() {
    assertThat(next("gate=failed look=310 seen=Unknown@310", 311)).isEqualTo(second(340));
  }
}
