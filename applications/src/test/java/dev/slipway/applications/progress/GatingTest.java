package dev.slipway.applications.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.ParamWords;
import dev.slipway.applications.plan.ResourceWords;
import dev.slipway.applications.plan.TableOffers;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gates of resources: what begins, what is looked at, and when is asked again. Seconds count from
 * the end of the run in charge. Each table is about {@code db} and {@code api}, which needs it.
 */
class GatingTest {
  private static final String API = "api: requested needs=db";

  private static Decision decide(String resources, double second) {
    return decide(resources, second, Observe.Drift.REPORT);
  }

  private static Decision decide(String resources, double second, Observe.Drift drift) {
    SituationWords words =
        new SituationWords(
            ResourceWords.all(resources),
            "deploy",
            null,
            ResourceWords.ENDED.plusMillis((long) (second * 1000)));
    return new Progress(TableOffers.offers(), ParamWords.BOX, drift).decide(words.situation());
  }

  private static String text(Decision decision) {
    String until =
        decision
            .until()
            .map(at -> Duration.between(ResourceWords.ENDED, at).toSeconds() + "s")
            .orElse("-");
    return DecisionText.named(decision.moves())
        + " | "
        + DecisionText.problems(decision)
        + " | "
        + until
        + " | "
        + DecisionText.outcome(decision);
  }

  private static String row(@Nullable String moves, @Nullable String problem, String... rest) {
    return String.join(
        " | ",
        moves == null ? "" : moves,
        problem == null ? "" : problem,
        String.join(" | ", rest));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                             | db                                                           | now | moves                                | problem                   | ask again | outcome
          its run has just ended                             | gate=closed                                                  | 0   | db look, db gate waiting             |                           | 60s       | running: requested
          the turn comes late                                | gate=closed                                                  | 400 | db look, db gate waiting             |                           | 460s      | running: requested
          health from the attempt before                     | gate=closed seen=Healthy@-60 stale                           | 0   | db look, db gate waiting             |                           | 60s       | running: requested
          of this attempt, from before its end               | gate=closed seen=Healthy@-60                                 | 0   | db look, db gate waiting             |                           | 60s       | running: requested
          it was seen Healthy before the first decision      | gate=closed seen=Healthy@1                                   | 2   | db gate open, api create(1)          |                           | -         | running: requested
          the look has found nothing yet                     | gate=waiting look=0                                          | 1   |                                      |                           | 60s       | running: requested
          a look that is lost is made again                  | gate=waiting look=0                                          | 60  | db look, db gate waiting             |                           | 120s      | running: requested
          a look that is older than the one asked for        | gate=waiting look=5 seen=Unknown@4                           | 6   |                                      |                           | 65s       | running: requested
          it is Healthy                                      | gate=waiting look=0 seen=Healthy@1                           | 1   | db gate open, api create(1)          |                           | -         | running: requested
          it is Healthy, of another attempt                  | gate=waiting look=0 seen=Healthy@1 stale                     | 1   | db look, db gate waiting             |                           | 2s        | running: requested
          it is Healthy, of another revision                 | gate=waiting look=0 seen=Healthy@1 applied=old params=old    | 1   | db gate open, api create(1)          |                           | -         | running: requested
          it is Unknown                                      | gate=waiting look=0 seen=Unknown@0,0                         | 0.5 |                                      |                           | 1s        | running: requested
          it is Unknown, and a second has passed             | gate=waiting look=0 seen=Unknown@0,0                         | 1   | db look, db gate waiting             |                           | 65s       | running: requested
          it is Unknown, looked at in growing distances      | gate=waiting look=8 seen=Unknown@8,0                         | 9   |                                      |                           | 20s       | running: requested
          it is Unknown, at most half a minute apart         | gate=waiting look=80 seen=Unknown@80,0                       | 81  |                                      |                           | 110s      | running: requested
          it is Unknown a second before its grace is over    | gate=waiting look=110 seen=Unknown@110,0                     | 119 |                                      |                           | 120s      | running: requested
          it is Unknown when its grace is over               | gate=waiting look=110 seen=Unknown@110,0                     | 120 | db gate failed                       | db (DependencyNotHealthy) | -         | failed: requested
          it was Unknown long before the gate waited         | gate=waiting gated=100 look=101 seen=Unknown@101,-500        | 101 |                                      |                           | 102s      | running: requested
          its gate gave up, it is Unknown still              | gate=failed look=110 seen=Unknown@200,0                      | 201 |                                      | db (DependencyNotHealthy) | -         | failed: requested
          its gate gave up, it is Healthy now                | gate=failed look=110 seen=Healthy@200                        | 201 | db gate open, api create(1)          |                           | -         | running: requested
          its gate timed out, it is Healthy now              | gate=failed look=110 seen=Healthy@900                        | 901 | db gate open, api create(1)          |                           | -         | running: requested
          its gate gave up, it is worse in another way       | gate=failed look=110 seen=Degraded@130                       | 131 | db gate waiting                      |                           | 140s      | running: requested
          it is Degraded                                     | gate=waiting look=0 seen=Degraded@0,0                        | 0.5 |                                      |                           | 1s        | running: requested
          it is Degraded when its grace is over              | gate=waiting look=50 seen=Degraded@50,0                      | 60  | db gate failed                       | db (DependencyNotHealthy) | -         | failed: requested
          it is Missing and was never seen                   | gate=waiting look=100 seen=Missing@100,0                     | 101 |                                      |                           | 130s      | running: requested
          it is Missing and was seen                         | gate=waiting look=100 seen=Missing@100,0 was-seen            | 101 | db gate failed                       | db (DependencyNotHealthy) | -         | failed: requested
          it is Progressing                                  | gate=waiting look=290 seen=Progressing@290,0                 | 291 |                                      |                           | 300s      | running: requested
          it is Progressing at the deadline                  | gate=waiting look=290 seen=Progressing@290,0                 | 300 | db gate failed                       | db (TimedOut)             | -         | failed: requested
          nothing was seen until the deadline                | gate=waiting look=0                                          | 300 | db gate failed                       | db (TimedOut)             | -         | failed: requested
          its last attempt failed in a sample of its own     | gate=waiting look=0 seen=Failed@1                            | 2   | db gate failed                       | db (DependencyFailed)     | -         | failed: requested
          open, and Unknown later                            | gate=open seen=Unknown@500                                   | 501 | api create(1)                        |                           | -         | running: requested
          open, and never looked at again                    | gate=open                                                    | 501 | api create(1)                        |                           | -         | running: requested
          an attempt of the version before                   | gate=none                                                    | 1   | api create(1)                        |                           | -         | running: requested
          an attempt of the version before, Unknown          | gate=none seen=Unknown@1                                     | 1   | api create(1)                        |                           | -         | running: requested
          no workflow looks at it                            | gate=closed type=queue                                       | 0   | db gate open, api create(1)          |                           | -         | running: requested
          no workflow looks at it, Unknown since             | gate=closed type=queue seen=Unknown@400 rule=not-observable  | 401 | db gate open, api create(1)          |                           | -         | running: requested
          no workflow looks, its run ended as it was made    | gate=closed type=queue made=0                                | 0   | db gate open, api create(1)          |                           | -         | running: requested
          no workflow looks, its run was made by a fast clock | gate=closed type=queue made=2                               | 0   | db gate open, api create(1)          |                           | -         | running: requested
          its provider is not loaded                         | gate=closed by=gone                                          | 0   | db gate waiting                      |                           | 300s      | running: requested
          its provider is not loaded, as a sample says       | gate=waiting by=gone seen=Unknown@0,0                        | 1   |                                      |                           | 120s      | running: requested
          a program is missing that looks at it              | gate=closed type=tool                                        | 0   | db gate waiting                      |                           | 300s      | running: requested
          an update begins                                   | gate=waiting params=2 seen=Healthy@1                         | 1   | db active->updating by intake, db update(2) |                    | -         | running: updating
          an update has begun                                | gate=closed running                                          | 1   |                                      |                           | -         | running: requested
          """)
  void the_gate_of(
      String name,
      String db,
      double now,
      @Nullable String moves,
      @Nullable String problem,
      String again,
      String outcome) {
    assertThat(text(decide("db: active " + db + "; " + API, now)))
        .as(name)
        .isEqualTo(row(moves, problem, again, outcome));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                        | db                                                                | now | moves                                | problem                   | ask again | outcome
          Missing at its first look                     | degraded reason=missing gate=waiting look=0 seen=Missing@0,0      | 0.5 |                                      |                           | 1s        | running: degraded
          Missing at its first look, looked at again    | degraded reason=missing gate=waiting look=0 seen=Missing@0,0      | 1   | db look, db gate waiting             |                           | 65s       | running: degraded
          Drift at its first look                       | degraded reason=drift gate=waiting look=0 seen=Degraded@0,0       | 0.5 |                                      |                           | 1s        | running: degraded
          Drift until its grace is over                 | degraded reason=drift gate=waiting look=50 seen=Degraded@50,0     | 60  | db gate failed                       | db (DependencyNotHealthy) | -         | failed: degraded
          Drift after its gate has been open            | degraded reason=drift gate=open seen=Degraded@50,0                | 60  |                                      | db (drift)                | -         | failed: degraded
          an update of it failed                        | degraded reason=StepFailed gate=closed seen=Healthy@1             | 2   |                                      | db (StepFailed)           | -         | failed: degraded
          """)
  void what_a_look_finds_otherwise(
      String name,
      String db,
      double now,
      @Nullable String moves,
      @Nullable String problem,
      String again,
      String outcome) {
    assertThat(text(decide("db: " + db + "; " + API, now)))
        .as(name)
        .isEqualTo(row(moves, problem, again, outcome));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                             | resources                                                                         | moves                                     | outcome
          a resource alone waits too                         | db: active gate=closed                                                            | db look, db gate waiting                  | running: active
          a resource alone opens, the workload is bound      | db: active gate=waiting look=0 seen=Healthy@1                                     | db gate open, workload bind               | completed: active
          a dependent that is there waits, and is not moved  | db: active gate=closed; api: active needs=db params=@db applied=old               | db look, db gate waiting                  | running: active
          a dependent that is there is updated then          | db: active gate=waiting look=0 seen=Healthy@1; api: active needs=db params=@db applied=old | db gate open, api active->updating by intake, api update(db.local) | running: updating
          what only the version before needed stays          | db: active gate=waiting look=0 needed=net; net: active unwanted                   |                                           | running: active
          what only the version before needed goes then      | db: active gate=waiting look=0 seen=Healthy@1 needed=net; net: active unwanted    | db forget, db gate open, net active->deprovisioning by intake, net delete(1) | running: deprovisioning
          one gate opens, the other waits                    | a: active gate=waiting look=0 seen=Healthy@1; b: active gate=waiting look=0; c: requested needs=a; d: requested needs=a,b | a gate open, c create(1) | running: requested
          a gate waits while another resource has failed     | a: active gate=waiting look=0; b: failed attempted=1 reason=StepFailed            |                                           | running: failed
          a gate failed while another waits                  | a: active gate=waiting look=0; b: active gate=failed seen=Unknown@1,-200 gated=-200 |                                         | running: active
          of another application, open                       | db: active owner=mail; api: requested needs=db                                    | api create(1)                             | running: requested
          of another application, waiting                    | db: active owner=mail gate=waiting; api: requested needs=db                       |                                           | running: requested
          of another application, Healthy but not judged     | db: active owner=mail gate=waiting seen=Healthy@1; api: requested needs=db        |                                           | running: requested
          of another application, failed                     | db: active owner=mail gate=failed gated=-200 seen=Unknown@1,-200; api: requested needs=db |                                   | failed: requested
          of another application, of the version before      | db: active owner=mail gate=none; api: requested needs=db                          | api create(1)                             | running: requested
          """)
  void of_several(String name, String resources, @Nullable String moves, String outcome) {
    Decision decision = decide(resources, 1);
    assertThat(DecisionText.named(decision.moves()) + " | " + DecisionText.outcome(decision))
        .as(name)
        .isEqualTo((moves == null ? "" : moves) + " | " + outcome);
  }

  /** Every health, fresh or of another attempt, at every second of six minutes in steps of 15. */
  static List<Arguments> everything() {
    List<Arguments> all = new ArrayList<>();
    for (Health health : Health.values()) {
      for (boolean fresh : new boolean[] {true, false}) {
        for (int second = 0; second <= 360; second += 15) {
          all.add(Arguments.of(health, fresh, second));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("everything")
  void only_a_fresh_healthy_sample_lets_a_dependent_begin(
      Health health, boolean fresh, int second) {
    String db =
        "db: active gate=waiting look=%d seen=%s@%d,0%s"
            .formatted(second, health.text(), second, fresh ? "" : " stale");
    Decision decision = decide(db + "; " + API, second + 0.5);
    boolean begins = decision.moves().stream().anyMatch(Move.Start.class::isInstance);
    assertThat(begins).isEqualTo(health == Health.HEALTHY && fresh);
    assertThat(begins || decision.until().isPresent() || !decision.problems().isEmpty())
        .as("it begins, or is asked about again, or says what is wrong")
        .isTrue();
  }

  @Test
  void drift_that_is_corrected_is_mended_though_its_gate_waits() {
    Decision decision =
        decide(
            "db: degraded reason=missing gate=waiting look=0 seen=Missing@0,0; " + API,
            1,
            Observe.Drift.CORRECT);
    assertThat(DecisionText.named(decision.moves()))
        .isEqualTo("db degraded->updating by observer, db create(1)");
  }
}
