package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.RunDiagnosis.Claim;
import dev.slipway.engine.execute.RunDiagnosis.Ending;
import dev.slipway.engine.execute.RunDiagnosis.Facts;
import dev.slipway.engine.execute.RunDiagnosis.Problem;
import dev.slipway.engine.execute.RunDiagnosis.Step;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunDiagnosisTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final Instant EARLIER = NOW.minusSeconds(60);
  private static final Claim FREE = new Claim(Optional.empty(), Optional.of(EARLIER));
  private static final Ending NONE = new Ending(false, Optional.empty());

  private static Facts run(RunState state, Optional<Step> step, Claim claim) {
    return new Facts(
        "7",
        NewRun.Kind.PLATFORM,
        "notes/tell",
        state,
        EARLIER,
        step,
        claim,
        Optional.empty(),
        NONE);
  }

  private static Facts ended(NewRun.Kind kind, RunState state, Ending ending) {
    return new Facts(
        "7",
        kind,
        "notes/tell",
        state,
        EARLIER,
        Optional.empty(),
        new Claim(Optional.empty(), Optional.empty()),
        Optional.of(new Problem("exit-code", "exit code 1")),
        ending);
  }

  private static Step step(StepState state, int attempt) {
    return new Step(
        "ask",
        state,
        attempt,
        Optional.empty(),
        Optional.empty(),
        Optional.of(EARLIER),
        Optional.empty(),
        Optional.empty());
  }

  private static Why why(Facts facts) {
    return RunDiagnosis.of(facts, NOW).orElseThrow();
  }

  @Test
  void a_run_that_has_succeeded_needs_no_reason() {
    assertThat(RunDiagnosis.of(run(RunState.SUCCEEDED, Optional.empty(), FREE), NOW)).isEmpty();
  }

  @Test
  void a_pending_run_waits_for_a_replica_for_a_time_or_for_a_signal() {
    assertThat(why(run(RunState.PENDING, Optional.empty(), FREE)).text())
        .isEqualTo("waits in the queue until a replica claims it");
    assertThat(
            why(run(
                    RunState.PENDING,
                    Optional.empty(),
                    new Claim(Optional.empty(), Optional.of(LATER))))
                .text())
        .isEqualTo("may be claimed by a replica from 2030-01-01T12:01:00Z on");
    assertThat(
            why(run(
                    RunState.PENDING,
                    Optional.empty(),
                    new Claim(Optional.empty(), Optional.empty())))
                .text())
        .contains("waits for a signal");
  }

  @Test
  void a_running_step_is_named_with_its_replica_and_a_lease_that_has_ended() {
    Step step = step(StepState.RUNNING, 2);
    assertThat(
            why(run(
                    RunState.RUNNING,
                    Optional.of(step),
                    new Claim(Optional.of("a/1"), Optional.of(LATER))))
                .text())
        .isEqualTo("runs step 'ask' (attempt 2) on replica a/1");
    assertThat(
            why(run(
                    RunState.RUNNING,
                    Optional.of(step),
                    new Claim(Optional.of("a/1"), Optional.of(EARLIER))))
                .text())
        .contains("lease ended at 2030-01-01T11:59:00Z", "another replica takes the run over");
  }

  @Test
  void a_step_that_waits_for_an_approval_says_what_to_type() {
    Step step =
        new Step(
            "ask",
            StepState.WAITING,
            1,
            Optional.of("an approval"),
            Optional.of(LATER),
            Optional.of(EARLIER),
            Optional.empty(),
            Optional.of("a1"));
    Why why = why(run(RunState.WAITING, Optional.of(step), FREE));
    assertThat(why.text())
        .isEqualTo("step 'ask' waits for approval a1, until 2030-01-01T12:01:00Z at the latest");
    assertThat(why.command()).contains("slipway approve a1");
    assertThat(why.since()).contains(EARLIER);
  }

  @Test
  void a_step_in_backoff_says_what_it_failed_with_and_when_it_is_tried_again() {
    Step step =
        new Step(
            "ask",
            StepState.WAITING,
            3,
            Optional.empty(),
            Optional.of(LATER),
            Optional.of(EARLIER),
            Optional.of(new Problem("exit-code", "exit code 1")),
            Optional.empty());
    assertThat(why(run(RunState.WAITING, Optional.of(step), FREE)).text())
        .isEqualTo(
            "step 'ask' failed and is tried again at 2030-01-01T12:01:00Z (attempt 3): exit code"
                + " 1");
  }

  @Test
  void a_run_that_is_asked_to_stop_says_so() {
    Facts facts = run(RunState.RUNNING, Optional.of(step(StepState.RUNNING, 1)), FREE);
    Facts stopping =
        new Facts(
            facts.id(),
            facts.kind(),
            facts.name(),
            facts.state(),
            facts.since(),
            facts.step(),
            facts.claim(),
            facts.error(),
            new Ending(true, Optional.empty()));
    assertThat(why(stopping).text()).contains("is asked to stop");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GOLDEN_PATH | FAILED    |            | exit code 1                                | slipway run retry 7
          PLATFORM    | FAILED    | complete   | exit code 1; its rollback is complete      | slipway run retry 7
          RESOURCE    | FAILED    | incomplete | exit code 1; its rollback is incomplete    | slipway run retry 7 --rollback
          CHILD       | FAILED    |            | exit code 1                                |
          ROLLBACK    | FAILED    |            | exit code 1                                |
          GOLDEN_PATH | PARTIAL   |            | ended in part: exit code 1                 | slipway run retry 7
          GOLDEN_PATH | CANCELLED |            | was cancelled                              | slipway run retry 7
          """)
  void an_ended_run_says_with_what_and_how_it_is_tried_again(
      NewRun.Kind kind, RunState state, String rollback, String text, String command) {
    Why why = why(ended(kind, state, new Ending(false, Optional.ofNullable(rollback))));
    assertThat(why.text()).isEqualTo(text);
    assertThat(why.command()).isEqualTo(Optional.ofNullable(command));
  }
}
