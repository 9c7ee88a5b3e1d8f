package dev.slipway.applications.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.lifecycle.ResourceLifecycle;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.ParamWords;
import dev.slipway.applications.plan.ResourceWords;
import dev.slipway.applications.plan.TableOffers;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A resource that is not wanted any more and what is done about it. */
class DeprovisioningTest {

  private static ResourceVerdict next(String words, String phase, Set<String> dependents) {
    KnownResource resource = ResourceWords.one("db: " + words + " unwanted");
    Situation situation = new SituationWords(List.of(resource), phase, null).situation();
    return new Deprovisioning(TableOffers.offers(), ParamWords.BOX, situation)
        .next(resource, dependents);
  }

  private static String text(ResourceVerdict verdict) {
    return DecisionText.moves(verdict.moves()) + " | " + DecisionText.of(verdict);
  }

  private static void check(
      String name, ResourceVerdict next, @Nullable String moves, String verdict) {
    assertThat(text(next)).as(name).isEqualTo((moves == null ? "" : moves) + " | " + verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                                  | resource                                   | moves                                                                                  | standing
          never begun                                             | requested                                  | requested->deleted by intake                                                           | done in deleted
          never begun, its run waits in the queue                 | requested queued                           | drop, requested->deleted by intake                                                     | done in deleted
          its create run is about to begin                        | requested running                          | cancel                                                                                 | moving in requested
          being created                                           | provisioning running                       | cancel                                                                                 | moving in provisioning
          its create run was cancelled                            | provisioning attempted=1                   | provisioning->deprovisioning by intake, delete(1)                                      | moving in deprovisioning
          its create run waits for a second attempt               | provisioning queued attempted=1            | drop, provisioning->deprovisioning by intake, delete(1)                                | moving in deprovisioning
          there                                                   | active                                     | active->deprovisioning by intake, delete(1)                                            | moving in deprovisioning
          there, and an update was tried                          | active attempted=2 reason=StepFailed       | active->deprovisioning by intake, delete(1)                                            | moving in deprovisioning
          there, made with a secret                               | active applied=!hush                       | active->deprovisioning by intake, delete(!hush)                                        | moving in deprovisioning
          there, and other params were asked for                  | active params=2                            | active->deprovisioning by intake, delete(1)                                            | moving in deprovisioning
          there, and now another name was asked for               | active identified=a applied=1,name:b       | active->deprovisioning by intake, delete(1,name:b)                                     | moving in deprovisioning
          there, and a run of its is under way                    | active running                             | cancel                                                                                 | moving in active
          there, and a run of its waits in the queue              | active queued                              | drop, active->deprovisioning by intake, delete(1)                                      | moving in deprovisioning
          there, to be left alone                                 | active policy=orphan                       | active->deprovisioning by intake, deprovisioning->deleted by engine                    | done in deleted
          there, of a type without delete                         | active type=bucket                         | complain NotSupported                                                                  | stuck in active (NotSupported)
          there, of a type without delete, to be left alone       | active type=bucket policy=orphan           | active->deprovisioning by intake, deprovisioning->deleted by engine                    | done in deleted
          there, and its provider is gone                         | active by=gone-team                        | complain NotSupported                                                                  | stuck in active (NotSupported)
          there, and the program for its deletion is missing      | active type=tool                           | complain MissingProgram                                                                | stuck in active (MissingProgram)
          there, and what it was made with is refused now         | active applied=ONE                         | complain InvalidInput                                                                  | stuck in active (InvalidInput)
          being updated                                           | updating running                           | cancel                                                                                 | moving in updating
          its update waits in the queue                           | updating queued attempted=2                | drop, updating->deprovisioning by intake, delete(1)                                    | moving in deprovisioning
          its update was cancelled                                | updating attempted=2                       | updating->deprovisioning by intake, delete(1)                                          | moving in deprovisioning
          being updated, to be left alone                         | updating policy=orphan                     | updating->deprovisioning by intake, deprovisioning->deleted by engine                  | done in deleted
          degraded                                                | degraded reason=StepFailed                 | degraded->deprovisioning by intake, delete(1)                                          | moving in deprovisioning
          degraded, to be left alone                              | degraded policy=orphan                     | degraded->deprovisioning by intake, deprovisioning->deleted by engine                  | done in deleted
          failed before any step began                            | failed never-started reason=NoProvider     | failed->deleted by intake                                                              | done in deleted
          failed before any step began, to be left alone          | failed never-started policy=orphan         | failed->deleted by intake                                                              | done in deleted
          failed before any step began, without a provider        | failed never-started type=unheard          | failed->deleted by intake                                                              | done in deleted
          its create run failed                                   | failed attempted=1 reason=StepFailed       | failed->deprovisioning by intake, delete(1)                                            | moving in deprovisioning
          its create run failed and is being undone               | failed running attempted=1                 | cancel                                                                                 | moving in failed
          its update run failed                                   | failed was-active attempted=2              | failed->deprovisioning by intake, delete(1)                                            | moving in deprovisioning
          its create run failed, to be left alone                 | failed attempted=1 policy=orphan           | failed->deprovisioning by intake, deprovisioning->deleted by engine                    | done in deleted
          its create run failed, of a type without delete         | failed attempted=1 type=bucket             | complain NotSupported                                                                  | stuck in failed (NotSupported)
          its deletion failed                                     | failed delete-failed was-active attempted=delete reason=StepFailed |                                                                | stuck in failed (StepFailed)
          its deletion failed, nothing recorded                   | failed delete-failed was-active attempted=delete |                                                                                  | stuck in failed (failed)
          its deletion failed, and a retry is asked for           | failed delete-failed was-active attempted=none | failed->deprovisioning by intake, delete(1)                                        | moving in deprovisioning
          its deletion failed, and it is to be left alone now     | failed delete-failed was-active attempted=none policy=orphan | failed->deprovisioning by intake, deprovisioning->deleted by engine  | done in deleted
          being deleted                                           | deprovisioning running                     |                                                                                        | moving in deprovisioning
          its delete run waits in the queue                       | deprovisioning queued                      |                                                                                        | moving in deprovisioning
          its delete run was lost                                 | deprovisioning was-active                  | delete(1)                                                                              | moving in deprovisioning
          its delete run was lost, to be left alone               | deprovisioning was-active policy=orphan    | deprovisioning->deleted by engine                                                      | done in deleted
          its delete run was lost, and its provider is gone       | deprovisioning was-active by=gone-team     | complain NotSupported                                                                  | stuck in deprovisioning (NotSupported)
          gone                                                    | deleted                                    |                                                                                        | done in deleted
          gone, to be left alone                                  | deleted policy=orphan                      |                                                                                        | done in deleted
          """)
  void that_nothing_depends_on(
      String name, String resource, @Nullable String moves, String verdict) {
    check(name, next(resource, "deploy", Set.of()), moves, verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                                  | resource                                   | moves   | standing
          never begun                                             | requested                                  |         | waiting in requested
          never begun, its run waits in the queue                 | requested queued                           |         | waiting in requested
          being created                                           | provisioning running                       | cancel  | moving in provisioning
          its create run was cancelled                            | provisioning attempted=1                   |         | waiting in provisioning
          there                                                   | active                                     |         | waiting in active
          there, and a run of its is under way                    | active running                             | cancel  | moving in active
          there, to be left alone                                 | active policy=orphan                       |         | waiting in active
          there, of a type without delete                         | active type=bucket                         |         | waiting in active
          being updated                                           | updating running                           | cancel  | moving in updating
          its update waits in the queue                           | updating queued                            |         | waiting in updating
          degraded                                                | degraded                                   |         | waiting in degraded
          failed before any step began                            | failed never-started                       |         | waiting in failed
          its deletion failed                                     | failed delete-failed reason=StepFailed     |         | waiting in failed
          being deleted                                           | deprovisioning running                     |         | moving in deprovisioning
          its delete run was lost                                 | deprovisioning                             |         | waiting in deprovisioning
          gone                                                    | deleted                                    |         | done in deleted
          """)
  void that_another_still_depends_on(
      String name, String resource, @Nullable String moves, String verdict) {
    check(name, next(resource, "deploy", Set.of("api")), moves, verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | phase    | resource                     | moves
          left out of a document                         | deploy   | active                       | active->deprovisioning by intake, delete(1)
          torn down by a user                            | teardown | active                       | active->deprovisioning by user, delete(1)
          of an environment that expired                 | expired  | active                       | active->deprovisioning by ttl, delete(1)
          torn down by a user, failed                    | teardown | failed attempted=1           | failed->deprovisioning by user, delete(1)
          of an environment that expired, failed         | expired  | failed attempted=1           | failed->deprovisioning by ttl, delete(1)
          torn down by a user, never begun               | teardown | requested                    | requested->deleted by user
          of an environment that expired, never begun    | expired  | requested                    | requested->deleted by intake
          torn down by a user, no step ever began        | teardown | failed never-started         | failed->deleted by user
          expired, no step ever began                    | expired  | failed never-started         | failed->deleted by intake
          torn down by a user, create run cancelled      | teardown | provisioning attempted=1     | provisioning->deprovisioning by user, delete(1)
          expired, create run cancelled                  | expired  | provisioning attempted=1     | provisioning->deprovisioning by intake, delete(1)
          expired, update run cancelled                  | expired  | updating                     | updating->deprovisioning by intake, delete(1)
          torn down by a user, to be left alone          | teardown | active policy=orphan         | active->deprovisioning by user, deprovisioning->deleted by engine
          expired, to be left alone                      | expired  | active policy=orphan         | active->deprovisioning by ttl, deprovisioning->deleted by engine
          the namespace of its environment is wrong      | bad-namespace | active                  | complain InvalidInput
          """)
  void on_behalf_of(String name, String phase, String resource, String moves) {
    assertThat(DecisionText.moves(next(resource, phase, Set.of()).moves()))
        .as(name)
        .isEqualTo(moves);
  }

  /** Whatever is decided for whatever state and on whose behalf, the lifecycle allows it. */
  @ParameterizedTest
  @ValueSource(strings = {"deploy", "teardown", "expired"})
  void no_decision_breaks_the_lifecycle(String phase) {
    for (String state :
        "requested provisioning active updating degraded failed deprovisioning deleted"
            .split(" ")) {
      for (String words :
          List.of(
              "", " queued", " running", " never-started", " delete-failed", " attempted=none")) {
        for (String policy : List.of("", " policy=orphan", " policy=retain", " type=bucket")) {
          String resource = state + words + policy;
          for (Move move : next(resource, phase, Set.of()).moves()) {
            if (move instanceof Move.Transit transit) {
              assertThat(
                      ResourceLifecycle.TABLE.allows(transit.from(), transit.to(), transit.actor()))
                  .as("%s: %s", resource, transit)
                  .isTrue();
            }
          }
        }
      }
    }
  }
}
