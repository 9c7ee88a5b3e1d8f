package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.Step;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run may do next, worked out from nothing but its workflow, the records of its steps and
 * whether it is to be cancelled. Pure, so the answer after a crash is the answer before it.
 */
sealed interface NextSteps permits Forward, Backward {
  /** The code of a step that was stopped because the whole run took too long. */
  String RUN_TIMEOUT = "run-timeout";

  /** How things stand, which decides which steps may still begin. */
  enum Mode {
    GOING,
    FAILED,
    CANCELLED,
    FORCED
  }

  /** A step of the workflow, or one that undoes something; then its name is longer. */
  record Task(String name, Step step) {}

  /** A step that will not run, and the state that it ends in. */
  record Verdict(String name, StepState state) {}

  /** Whether steps still start, and why not. */
  Mode mode();

  /** The failure that no step handles; the earliest when there are several. */
  Optional<StepRecord> failure();

  /** Steps that failed although the run went on. */
  List<StepRecord> handledFailures();

  /** Steps that will not run any more, given the states of the steps before them. */
  List<Verdict> verdicts();

  /** Steps that may start now; their conditions are not evaluated yet. */
  List<Task> ready(Instant now);

  /** The step or undoing step of that name. */
  Optional<Task> task(String name);

  /** Whether a failed attempt of that step may be repeated. */
  boolean mayRepeat(Task task);

  /** How the run ends, once every step has ended. */
  Optional<RunState> end();

  /** The state of the rollback, if there was one. */
  Optional<RunWrite.Rollback> rollback();

  /** What a rollback that should begin now has to do, in its order. */
  List<Task> undoDue();

  /** Steps that have succeeded and are undone, now that a rollback's steps have ended so. */
  List<String> undoneBy(Map<String, StepState> ended);
}
