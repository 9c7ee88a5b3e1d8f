package dev.slipway.applications.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.explain.Explanation.Entry;
import dev.slipway.applications.explain.Subject.PendingApproval;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.lifecycle.State;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is recorded about resources that are not active, and what is said about them. */
class ExplainTest {
  private static final Instant T = Instant.parse("2026-03-01T10:00:00Z");

  private static Subject shop(ResourceState state) {
    return new Subject("shop", "default", state, Optional.empty(), true);
  }

  private static Explanation explain(@Nullable String facts) {
    List<Facts> all =
        facts == null ? List.of() : Arrays.stream(facts.split(";")).map(FactWords::read).toList();
    return Explain.of(shop(ResourceState.FAILED), all);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | facts                                                              | why                                           | blocked by           | command
          its run waits in the queue                     | requested run=pending                                              | its run of 'make' waits to be taken up        |                      |
          its run goes on between two steps              | provisioning run=running                                           | runs 'make'                                   |                      |
          its run waits, no step is recorded             | provisioning run=waiting                                           | runs 'make'                                   |                      |
          a step runs                                    | provisioning run=running step=apply                                | runs step 'apply' of 'make'                   |                      |
          a step runs for the third time                 | provisioning run=running step=apply attempt=3                      | runs step 'apply' of 'make' (attempt 3)       |                      |
          a step waits for a job                         | provisioning run=waiting step=apply/waiting for=job-7              | step 'apply' waits for job-7                  |                      |
          a step waits for a job for the second time     | provisioning run=waiting step=apply/waiting for=job-7 attempt=2    | step 'apply' waits for job-7 (attempt 2)      |                      |
          a step failed and is tried again               | provisioning run=waiting step=apply wake attempt=2                 | step 'apply' failed and is tried again (attempt 2) |                 |
          a step waits for an approval                   | provisioning run=waiting step=ask/waiting for=approval approval=ap1 | step 'ask' waits for approval                | approval ap1         | slipway approve ap1
          an update waits for an approval                | updating run=waiting step=ask/waiting for=approval approval=ap1    | step 'ask' waits for approval                 | approval ap1         | slipway approve ap1
          a failed one is retried and waits for approval | failed run=waiting step=ask/waiting for=approval approval=ap1      | step 'ask' waits for approval                 | approval ap1         | slipway approve ap1
          an approval of a run that has ended            | failed run=failed step=ask/failed approval=ap1 error=Rejected      | message of Rejected                           |                      | slipway run retry r1
          it waits for another                           | requested missing=net/provisioning                                 | waits for net (provisioning)                  | net (provisioning)   |
          it waits for two others                        | requested missing=a/failed,b/requested                             | waits for a (failed), b (requested)           | a (failed), b (requested) |
          it waits for another, an old run is recorded   | requested missing=net/failed run=failed                            | waits for net (failed)                        | net (failed)         |
          it waits for another and its run goes on       | updating missing=net/updating run=running                          | runs 'make'                                   | net (updating)       |
          it cannot be deleted before another            | deprovisioning unwanted dependents=api                             | cannot be deleted before api                  | api                  |
          it cannot be deleted before two others         | active unwanted dependents=api,web                                 | cannot be deleted before api, web             | api, web             |
          others depend on it and it stays               | requested dependents=api                                           | is requested                                  |                      |
          it is being deleted                            | deprovisioning unwanted run=running step=drop                      | runs step 'drop' of 'make'                    |                      |
          nothing is recorded                            | requested                                                          | is requested                                  |                      |
          nothing is recorded about a failure            | failed                                                             | is failed                                     |                      | slipway resource retry id-db
          a step failed                                  | failed run=failed step=apply/failed error=StepFailed               | message of StepFailed                         |                      | slipway run retry r1
          a step failed and a reason is recorded         | failed reason=Timeout run=failed step=apply/failed error=StepFailed | message of Timeout                           |                      | slipway run retry r1
          a reason without a run                         | failed reason=Timeout                                              | message of Timeout                            |                      | slipway resource retry id-db
          its run was cancelled                          | failed reason=Cancelled run=cancelled                              | message of Cancelled                          |                      | slipway resource retry id-db
          its run succeeded, and then it failed          | failed reason=Missing run=succeeded                                | message of Missing                            |                      | slipway resource retry id-db
          degraded after an update that failed           | degraded reason=StepFailed run=failed                              | message of StepFailed                         |                      | slipway run retry r1
          degraded by what a look found                  | degraded reason=Drift                                              | message of Drift                              |                      | slipway resource retry id-db
          no provider                                    | failed reason=NoProvider                                           | message of NoProvider                         |                      | slipway provider list
          no workflow for the operation                  | failed reason=NotSupported                                         | message of NotSupported                       |                      | slipway provider list
          a program is missing                           | failed reason=MissingProgram                                       | message of MissingProgram                     |                      | slipway provider list
          no provider, an old run is recorded            | failed reason=NoProvider run=failed                                | message of NoProvider                         |                      | slipway provider list
          two providers                                  | failed reason=Conflict                                             | message of Conflict                           |                      | slipway provider conflicts
          its input was refused                          | failed reason=InvalidInput                                         | message of InvalidInput                       |                      | slipway deploy score.yaml
          active, and its update was refused             | active reason=InvalidInput                                         | message of InvalidInput                       |                      |
          """)
  void says_why(
      String name, String facts, String why, @Nullable String blockedBy, @Nullable String command) {
    Entry entry = explain("db: " + facts).entries().getFirst();
    assertThat(
            String.join(
                " | ", entry.why(), String.join(", ", entry.blockedBy()), text(entry.command())))
        .as(name)
        .isEqualTo(String.join(" | ", why, text(blockedBy), text(command)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                    | facts                                             | why                                                                                         | blocked by | gate                                           | command
          it was not looked at yet                  | active gate=StaleHealth                           | what needs it begins when a look finds it Healthy: detail                                   |            | StaleHealth resource:shop:db until 10:05       |
          not since its last run                    | active gate=StaleHealth seen=Healthy              | what needs it begins when a look finds it Healthy: not looked at since its last run         |            | StaleHealth resource:shop:db until 10:05       |
          it is Unknown, within its grace           | active gate=UnknownGrace seen=Unknown saying=away | what needs it begins when a look finds it Healthy: Unknown since 2026-03-01T10:00:00Z: away |            | UnknownGrace resource:shop:db until 10:05      | slipway resource refresh id-db
          it is Missing, and was never seen         | active gate=HealthProgressing seen=Missing        | what needs it begins when a look finds it Healthy: Missing since 2026-03-01T10:00:00Z       |            | HealthProgressing resource:shop:db until 10:05 | slipway resource refresh id-db
          it was Unknown for too long               | active gate=!DependencyNotHealthy seen=Unknown    | what needs it does not begin: Unknown since 2026-03-01T10:00:00Z                            |            | DependencyNotHealthy resource:shop:db          | slipway resource refresh id-db
          the gate timed out                        | active gate=!TimedOut detail=late                 | what needs it does not begin: late                                                          |            | TimedOut resource:shop:db                      | slipway resource refresh id-db
          a look found it changed, its gate waits   | degraded reason=Drift gate=DegradedGrace seen=Degraded | Degraded since 2026-03-01T10:00:00Z: message of Drift                                  |            | DegradedGrace resource:shop:db until 10:05     | slipway resource refresh id-db
          it waits for one that is Unknown          | requested missing=net/active/UnknownGrace/Unknown | waits for net (active, Unknown since 2026-03-01T10:00:00Z)                                  | net (active, Unknown since 2026-03-01T10:00:00Z) | UnknownGrace resource:shop:net until 10:05 |
          it waits for one that is not seen yet     | requested missing=net/active/StaleHealth          | waits for net (active, detail)                                                              | net (active, detail) | StaleHealth resource:shop:net until 10:05 |
          it waits for one that gave up             | requested missing=net/active/!TimedOut/Unknown    | waits for net (active, detail)                                                              | net (active, detail) | TimedOut resource:shop:net           |
          active and Unknown                        | active seen=Unknown saying=away                   | Unknown since 2026-03-01T10:00:00Z: away                                                    |            |                                                | slipway resource refresh id-db
          active and Missing                        | active seen=Missing saying=gone                   | Missing since 2026-03-01T10:00:00Z: gone                                                    |            |                                                | slipway resource refresh id-db
          active and Degraded                       | active seen=Degraded saying=other                 | Degraded since 2026-03-01T10:00:00Z: other                                                  |            |                                                | slipway resource refresh id-db
          active and not observable                 | active seen=Unknown rule=not-observable           | Unknown since 2026-03-01T10:00:00Z                                                          |            |                                                |
          active and never looked at                | active                                            | not looked at yet                                                                           |            |                                                |
          degraded since a look found it so         | degraded reason=Missing seen=Missing              | Missing since 2026-03-01T10:00:00Z: message of Missing                                      |            |                                                | slipway resource retry id-db
          failed, and Healthy as it was before      | failed reason=StepFailed seen=Healthy             | message of StepFailed                                                                       |            |                                                | slipway resource retry id-db
          failed, as its own sample says            | failed reason=StepFailed seen=Failed rule=run-failed | message of StepFailed                                                                    |            |                                                | slipway resource retry id-db
          """)
  void says_what_looks_have_found(
      String name,
      String facts,
      String why,
      @Nullable String blockedBy,
      @Nullable String gate,
      @Nullable String command) {
    Entry entry = explain("db: " + facts).entries().getFirst();
    assertThat(
            String.join(
                " | ",
                entry.why(),
                String.join(", ", entry.blockedBy()),
                gate(entry.gate()),
                text(entry.command())))
        .as(name)
        .isEqualTo(String.join(" | ", why, text(blockedBy), text(gate), text(command)));
  }

  private static String gate(Explanation.@Nullable ClosedGate gate) {
    if (gate == null) {
      return "";
    }
    assertThat(gate.since()).isEqualTo(T);
    String shown = gate.code() + " " + gate.node();
    return gate.deadline() == null
        ? shown
        : shown + " until " + gate.deadline().toString().substring(11, 16);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                            | facts                                   | of all | of it alone
          active and Healthy                | active seen=Healthy                     | true   | true
          active and never looked at        | active                                  | true   | false
          active and not observable         | active seen=Unknown rule=not-observable | true   | false
          active and Unknown                | active seen=Unknown                     | false  | false
          active and Missing                | active seen=Missing                     | false  | false
          active and Progressing            | active seen=Progressing                 | false  | false
          active, its gate waits            | active gate=StaleHealth                 | false  | false
          active, an update was refused     | active seen=Healthy reason=InvalidInput | false  | false
          active, to be removed             | active seen=Healthy unwanted            | false  | false
          degraded                          | degraded seen=Healthy                   | false  | false
          requested                         | requested                               | false  | false
          deleted                           | deleted seen=Missing                    | true   | true
          """)
  void has_nothing_to_say_about(String name, String facts, boolean ofAll, boolean alone) {
    Facts read = FactWords.read("db: " + facts);
    assertThat(Explain.settled(read, Explain.Scope.APPLICATION)).as(name).isEqualTo(ofAll);
    assertThat(Explain.settled(read, Explain.Scope.RESOURCE)).as(name).isEqualTo(alone);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | facts                                                   | last error
          no error at all                                | provisioning run=running step=apply                     |
          the error of a step                            | failed run=failed step=apply/failed error=StepFailed    | StepFailed in apply
          the error of a step that is tried again        | provisioning run=waiting step=apply wake error=Timeout  | Timeout in apply
          a recorded reason                              | failed reason=Timeout                                   | Timeout
          a recorded reason goes before a step's error   | failed reason=Timeout run=failed step=apply error=Other | Timeout in apply
          """)
  void says_the_last_error(String name, String facts, @Nullable String error) {
    Explanation.Problem problem = explain("db: " + facts).entries().getFirst().lastError();
    String said =
        problem == null
            ? ""
            : problem.code() + (problem.step() == null ? "" : " in " + problem.step());
    assertThat(said).as(name).isEqualTo(text(error));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | facts                                                                              | order
          one                                            | db: failed                                                                         | db
          by name                                        | b: failed; a: failed                                                               | a b
          what failed before what runs                   | a: provisioning run=running; b: failed                                             | b a
          what is degraded before what runs              | a: provisioning run=running; b: degraded                                           | b a
          what failed before what waits for people       | a: provisioning run=waiting step=ask/waiting; b: failed                            | b a
          what waits for people before what runs         | a: provisioning run=running; b: provisioning run=waiting step=ask/waiting          | b a
          what runs before what waits for others         | a: requested missing=b/provisioning; b: provisioning run=running                   | b a
          what waits for others last                     | a: requested missing=b/failed; b: failed; c: updating run=running                  | b c a
          a run that waits for others counts as waiting  | a: updating run=running missing=c/failed; b: updating run=running; c: failed       | c b a
          nothing recorded counts as waiting             | a: requested; b: provisioning run=running                                          | b a
          a gate that waits before what waits for it     | a: requested missing=b/active/StaleHealth; b: active gate=StaleHealth              | b a
          a gate that gave up before what runs           | a: provisioning run=running; b: active gate=!TimedOut                              | b a
          what is Unknown before what waits for others   | a: requested missing=c/failed; b: active seen=Unknown; c: failed                   | c b a
          """)
  void puts_causes_first(String name, String facts, String order) {
    String subjects =
        explain(facts).entries().stream().map(Entry::subject).collect(Collectors.joining(" "));
    assertThat(subjects).as(name).isEqualTo(order);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | facts                                                          | summary                                        | commands
          nothing in its way                             |                                                                | shop is failed; nothing is in its way          |
          one                                            | db: failed reason=Timeout                                      | shop is failed: db: message of Timeout         | slipway resource retry id-db
          one and one more                               | a: requested missing=db/failed; db: failed reason=Timeout      | shop is failed: db: message of Timeout (and 1 more) | slipway resource retry id-db
          three                                          | a: failed; b: failed; c: failed                                | shop is failed: a: is failed (and 2 more)      | slipway resource retry id-a, slipway resource retry id-b, slipway resource retry id-c
          one command for two                            | a: failed reason=Conflict; b: failed reason=Conflict           | shop is failed: a: message of Conflict (and 1 more) | slipway provider conflicts
          only waiting helps                             | a: provisioning run=running                                    | shop is failed: a: runs 'make'                 | slipway wait shop
          """)
  void sums_up(String name, @Nullable String facts, String summary, @Nullable String commands) {
    Explanation explanation = explain(facts);
    assertThat(explanation.summary() + " | " + String.join(", ", explanation.commands()))
        .as(name)
        .isEqualTo(summary + " | " + text(commands));
  }

  @Test
  void a_deployment_that_waits_for_an_approval_comes_first() {
    PendingApproval approval =
        new PendingApproval("ap7", "two people look at it", T, T.plusSeconds(60));
    Subject waiting =
        new Subject("shop", "default", ResourceState.UPDATING, Optional.of(approval), true);
    Explanation explanation = Explain.of(waiting, List.of(FactWords.read("db: failed")));
    Entry first = explanation.entries().getFirst();
    assertThat(first.subject()).isEqualTo("deployment");
    assertThat(first.why()).isEqualTo("waits for an approval: two people look at it");
    assertThat(first.nextRetry()).isEqualTo(approval.expires());
    assertThat(explanation.commands())
        .containsExactly("slipway approve ap7", "slipway resource retry id-db");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                   | state  | bound | facts       | entries
          its containers could not be bound        | failed | false |             | workload
          its containers could be bound            | failed | true  |             |
          not bound yet while it is updated        | updating | false |           |
          not bound because a resource failed      | failed | false | db: failed  | db
          """)
  void the_workload(
      String name, String state, boolean bound, @Nullable String facts, @Nullable String entries) {
    ResourceState is = State.parse(ResourceState.class, state);
    Subject subject = new Subject("shop", "default", is, Optional.empty(), bound);
    List<Facts> all = facts == null ? List.of() : List.of(FactWords.read(facts));
    assertThat(Explain.of(subject, all).entries().stream().map(Entry::subject))
        .as(name)
        .containsExactlyElementsOf(entries == null ? List.of() : List.of(entries));
  }

  @Test
  void commands_name_an_environment_that_is_not_the_default_one() {
    Subject shop = new Subject("shop", "prod", ResourceState.FAILED, Optional.empty(), false);
    assertThat(Explain.of(shop, List.of()).commands())
        .containsExactly("slipway graph shop --environment prod");
    assertThat(Explain.of(shop, List.of(FactWords.read("db: requested"))).commands())
        .containsExactly("slipway wait shop --environment prod");
  }

  @Test
  void the_next_attempt_of_a_step_is_when_something_happens_by_itself() {
    Entry entry = explain("db: provisioning run=waiting step=apply wake").entries().getFirst();
    assertThat(entry.nextRetry()).isEqualTo(FactWords.WAKE);
    assertThat(entry.runId()).isEqualTo("r1");
  }
}
