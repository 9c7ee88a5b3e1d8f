package dev.slipway.applications.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.ParamWords;
import dev.slipway.applications.plan.ResourceWords;
import dev.slipway.applications.plan.TableOffers;
import dev.slipway.applications.progress.Situation.Deployment.Status;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All resources of an application together: what moves now, and where the application stands. */
class ProgressTest {

  private static Decision decide(Situation situation) {
    return new Progress(TableOffers.offers(), ParamWords.BOX, Observe.Drift.REPORT)
        .decide(situation);
  }

  private static Situation situation(
      @Nullable String resources, String phase, @Nullable String container) {
    return new SituationWords(ResourceWords.all(resources), phase, container).situation();
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static Decision decideAboutNew(int resources) {
    String all =
        IntStream.range(0, resources)
            .mapToObj("r%04d: requested"::formatted)
            .collect(Collectors.joining("; "));
    return decide(situation(all, "deploy", null));
  }

  @Test
  void runs_begin_in_portions() {
    Decision enough = decideAboutNew(Progress.MOST_STARTS);
    assertThat(enough.moves()).hasSize(Progress.MOST_STARTS);
    assertThat(enough.more()).isFalse();
    Decision more = decideAboutNew(Progress.MOST_STARTS + 1);
    assertThat(more.moves()).hasSize(Progress.MOST_STARTS);
    assertThat(more.more()).as("asks for another turn").isTrue();
    assertThat(more.deployment()).isEqualTo(Status.RUNNING);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                            | resources                                                            | moves                                                       | deployment: application
          no resource at all                                |                                                                      | workload bind                                               | completed: active
          one that is new                                   | db: requested                                                        | db create(1)                                                | running: requested
          one that is there                                 | db: active                                                           | workload bind                                               | completed: active
          two without an edge between them                  | a: requested; b: requested                                           | a create(1), b create(1)                                    | running: requested
          two without an edge, in another order             | b: requested; a: requested                                           | a create(1), b create(1)                                    | running: requested
          a chain of three begins at its root               | a: requested needs=b; b: requested needs=c; c: requested             | c create(1)                                                 | running: requested
          the root of a chain is there                      | a: requested needs=b; b: requested needs=c; c: active                | b create(1)                                                 | running: requested
          the middle of a chain is there                    | a: requested needs=b; b: active needs=c; c: active                   | a create(1)                                                 | running: requested
          a diamond waits for both of its sides             | a: requested needs=b,c; b: active needs=d; c: requested needs=d; d: active | c create(1)                                           | running: requested
          a diamond whose sides are there                   | a: requested needs=b,c; b: active needs=d; c: active needs=d; d: active | a create(1)                                              | running: requested
          params are bound to outputs                       | a: requested needs=b params=@b; b: active                            | a create(b.local)                                           | running: requested
          an output has changed                             | a: active needs=b params=@b applied=old; b: active                   | a active->updating by intake, a update(b.local)             | running: updating
          an update holds back what depends on it           | a: active needs=b; b: active params=2                                | b active->updating by intake, b update(2)                   | running: updating
          an update holds back what is to be created on it  | a: requested needs=b; b: active params=2                             | b active->updating by intake, b update(2)                   | running: updating
          an update and a new one side by side              | a: active params=2; b: requested                                     | a active->updating by intake, a update(2), b create(1)      | running: updating
          what is being created holds back its dependent    | a: requested needs=b; b: provisioning running                        |                                                             | running: provisioning
          """)
  void moves_upwards(
      String name, @Nullable String resources, @Nullable String moves, String outcome) {
    Decision decision = decide(situation(resources, "deploy", null));
    assertThat(DecisionText.named(decision.moves()) + " | " + DecisionText.outcome(decision))
        .as(name)
        .isEqualTo(text(moves) + " | " + outcome);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                            | phase    | resources                                                            | moves                                                                       | deployment: application
          a dependent goes first                            | teardown | a: active needs=b unwanted; b: active unwanted                       | a active->deprovisioning by user, a delete(1)                               | running: deprovisioning
          a dependent is gone                               | teardown | a: deleted needs=b unwanted; b: active unwanted                      | b active->deprovisioning by user, b delete(1)                               | running: deprovisioning
          two without an edge go together                   | teardown | a: active unwanted; b: active unwanted                               | b active->deprovisioning by user, b delete(1), a active->deprovisioning by user, a delete(1) | running: deprovisioning
          a dependent that needs no run is gone at once     | teardown | a: requested needs=b unwanted; b: active unwanted                    | a requested->deleted by user, b active->deprovisioning by user, b delete(1) | running: deprovisioning
          a dependent that is left alone is gone at once    | teardown | a: active needs=b unwanted policy=orphan; b: active unwanted         | a active->deprovisioning by user, a deprovisioning->deleted by engine, b active->deprovisioning by user, b delete(1) | running: deprovisioning
          a dependent is being created                      | teardown | a: provisioning running needs=b unwanted; b: active unwanted         | a cancel                                                                    | running: deprovisioning
          everything is gone                                | teardown | a: deleted unwanted; b: deleted unwanted                             |                                                                             | completed: deleted
          nothing was ever there                            | teardown |                                                                      |                                                                             | completed: deleted
          one deletion failed and nothing else moves        | teardown | a: failed delete-failed attempted=delete reason=StepFailed unwanted  |                                                                             | failed: failed
          one deletion failed while another moves           | teardown | a: failed delete-failed attempted=delete reason=StepFailed unwanted; b: deprovisioning running unwanted | | running: deprovisioning
          a failed deletion holds back what it needs        | teardown | a: failed delete-failed attempted=delete reason=StepFailed needs=b unwanted; b: active unwanted | | failed: failed
          a resource that cannot be deleted                 | teardown | a: active type=bucket unwanted                                       | a complain NotSupported                                                     | failed: deprovisioning
          what is retained does not count                   | teardown | a: active detached unwanted                                          |                                                                             | completed: deleted
          what is retained does not hold back what it needs | teardown | a: active detached needs=b unwanted; b: active unwanted              | b active->deprovisioning by user, b delete(1)                               | running: deprovisioning
          left out while others stay                        | deploy   | a: active; b: active unwanted                                        | b active->deprovisioning by intake, b delete(1)                             | running: deprovisioning
          left out, and its user still has the old params   | deploy   | a: active params=2 needed=b; b: active unwanted                      | a active->updating by intake, a update(2)                                   | running: updating
          left out, and its user has the new params         | deploy   | a: active needed=b; b: active unwanted                               | a forget, b active->deprovisioning by intake, b delete(1)                   | running: deprovisioning
          left out, and its user failed to get new params   | deploy   | a: active params=2 attempted=2 reason=StepFailed needed=b; b: active unwanted |                                                                    | failed: active
          left out, while another is created                | deploy   | a: requested; b: active unwanted                                     | a create(1), b active->deprovisioning by intake, b delete(1)                | running: deprovisioning
          a user of another application still needs it      | deploy   | a: active owner=mail needs=b; b: active unwanted                     |                                                                             | running: active
          """)
  void moves_downwards(
      String name,
      String phase,
      @Nullable String resources,
      @Nullable String moves,
      String outcome) {
    Decision decision = decide(situation(resources, phase, null));
    String made =
        DecisionText.named(
            decision.moves().stream().filter(move -> !(move instanceof Move.Bind)).toList());
    assertThat(made + " | " + DecisionText.outcome(decision))
        .as(name)
        .isEqualTo(text(moves) + " | " + outcome);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                            | resources                                                            | problems                     | deployment: application
          all is well                                       | a: active                                                            |                              | completed: active
          one failed                                        | a: failed attempted=1 reason=StepFailed                              | a (StepFailed)               | failed: failed
          one failed while another moves                    | a: failed attempted=1 reason=StepFailed; b: provisioning running     | a (StepFailed)               | running: provisioning
          one failed while another begins                   | a: failed attempted=1 reason=StepFailed; b: requested                | a (StepFailed)               | running: failed
          one failed and another waits for it               | a: requested needs=b; b: failed attempted=1 reason=StepFailed        | b (StepFailed)               | failed: failed
          two failed                                        | a: failed attempted=1 reason=Timeout; b: failed attempted=1 reason=StepFailed | a (Timeout), b (StepFailed) | failed: failed
          one is degraded                                   | a: degraded reason=StepFailed                                        | a (StepFailed)               | failed: degraded
          one is degraded and another failed                | a: degraded reason=StepFailed; b: failed attempted=1 reason=StepFailed | a (StepFailed), b (StepFailed) | failed: failed
          an update was refused, the old one stays          | a: active params=TWO                                                 | a (InvalidInput)             | failed: active
          no provider for one                               | a: requested type=unheard; b: active                                 | a (NoProvider)               | failed: failed
          another application's, which is ready             | a: requested needs=b; b: active owner=mail                           |                              | running: requested
          another application's, which is being made        | a: requested needs=b; b: provisioning running owner=mail             |                              | running: requested
          another application's, which failed               | a: requested needs=b; b: failed attempted=1 reason=StepFailed owner=mail | b (StepFailed)           | failed: requested
          another application's, which failed, is retried   | a: requested needs=b; b: failed running owner=mail                   |                              | running: requested
          another application's, used, being made           | a: active; b: provisioning running owner=mail users=mail,shop        |                              | running: provisioning
          another application's, used, with a request       | a: active; b: requested owner=mail users=mail,shop                   |                              | running: requested
          another application's, used, ready                | a: active; b: active owner=mail users=mail,shop                      |                              | completed: active
          another application's, not used, failed           | a: active; b: failed attempted=1 reason=StepFailed owner=mail        | b (StepFailed)               | completed: active
          """)
  void says_where_it_stands(
      String name, String resources, @Nullable String problems, String outcome) {
    Decision decision = decide(situation(resources, "deploy", null));
    assertThat(DecisionText.problems(decision) + " | " + DecisionText.outcome(decision))
        .as(name)
        .isEqualTo(text(problems) + " | " + outcome);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                            | container | resources            | moves         | problems                | deployment: application
          nothing to put in place                           |           | a: active            | workload bind |                         | completed: active
          an output                                         | @a        | a: active            | workload bind |                         | completed: active
          an output of a resource that is not there yet     | @a        | a: requested         | a create(1)   |                         | running: requested
          an output that its resource does not have         | @a.user   | a: active            |               | workload (InvalidInput) | failed: active
          an output of a resource that is not used          | @b        | a: active            |               | workload (InvalidInput) | failed: active
          a container waits until a removal is done         | @a        | a: active; b: deprovisioning running unwanted |  |                 | running: deprovisioning
          """)
  void binds_the_workload(
      String name,
      @Nullable String container,
      String resources,
      @Nullable String moves,
      @Nullable String problems,
      String outcome) {
    Decision decision = decide(situation(resources, "deploy", container));
    assertThat(
            DecisionText.named(decision.moves())
                + " | "
                + DecisionText.problems(decision)
                + " | "
                + DecisionText.outcome(decision))
        .as(name)
        .isEqualTo(text(moves) + " | " + text(problems) + " | " + outcome);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                   | before    | resources                               | after
          never deployed                           |           | a: active                               | none
          done, and still so                       | COMPLETED | a: active                               | completed
          done, and one failed afterwards          | COMPLETED | a: failed attempted=1 reason=StepFailed | completed
          done, and one is updated afterwards      | COMPLETED | a: updating running                     | completed
          failed, and still so                     | FAILED    | a: failed attempted=1 reason=StepFailed | failed
          failed, and a retry begins               | FAILED    | a: failed                               | running
          failed, and the retry is done            | FAILED    | a: active                               | completed
          under way                                | RUNNING   | a: provisioning running                 | running
          """)
  void a_deployment_that_was(String name, @Nullable Status before, String resources, String after) {
    SituationWords words = new SituationWords(ResourceWords.all(resources), "deploy", null);
    Decision decision = decide(words.situation(before));
    assertThat(DecisionText.outcome(decision)).as(name).startsWith(after + ":");
  }
}
