package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Report;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.RunWrite.Rollback;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.RenderingException;
import dev.slipway.engine.workflow.Workflow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How a run ended, and what its resource gets from it. Outputs are sealed. */
record RunEnd(
    RunState state,
    Map<String, Object> outputs,
    @Nullable StepError error,
    @Nullable Rollback rollback,
    List<String> warnings) {

  /** Works it out; outputs that cannot be rendered make a failure of a success. */
  static RunEnd of(
      RunState planned,
      NextSteps progress,
      NewRun.Kind kind,
      Workflow workflow,
      RunValues values,
      Rendering rendering) {
    if (kind == NewRun.Kind.ROLLBACK) {
      return ofRollback(planned, progress);
    }
    Rollback rollback = progress.rollback().orElse(null);
    return switch (planned) {
      case SUCCEEDED -> succeeded(progress, workflow, values, rendering);
      case CANCELLED ->
          new RunEnd(
              RunState.CANCELLED,
              Map.of(),
              StepError.permanent("cancelled", "the run was cancelled", null),
              rollback,
              List.of());
      case FAILED, PARTIAL, PENDING, RUNNING, WAITING ->
          new RunEnd(
              RunState.FAILED,
              Map.of(),
              progress.failure().map(RunEnd::ofStep).orElse(null),
              rollback,
              List.of());
    };
  }

  private static RunEnd ofRollback(RunState planned, NextSteps progress) {
    List<StepRecord> failed = progress.handledFailures();
    StepError error = null;
    if (planned == RunState.CANCELLED) {
      error = StepError.permanent("cancelled", "the rollback was cancelled", null);
    } else if (!failed.isEmpty()) {
      String reasons =
          failed.stream()
              .map(r -> "'" + r.name() + "': " + message(r))
              .collect(Collectors.joining("; "));
      error =
          StepError.permanent(
              "rollback-incomplete",
              "could not be undone: " + reasons,
              "Mend the cause, then undo the rest: slipway run retry RUN --rollback, with the run"
                  + " that failed.");
    }
    return new RunEnd(planned, Map.of(), error, null, List.of());
  }

  private static RunEnd succeeded(
      NextSteps progress, Workflow workflow, RunValues values, Rendering rendering) {
    List<String> warnings =
        progress.handledFailures().stream()
            .map(r -> "step '" + r.name() + "' failed: " + message(r))
            .toList();
    Map<String, Object> outputs;
    try {
      outputs = rendering.outputs(workflow, values.view());
    } catch (RenderingException e) {
      StepError error =
          StepError.permanent("template", String.valueOf(e.getMessage()), e.hint().orElse(null));
      return new RunEnd(RunState.FAILED, Map.of(), values.masked(error), null, warnings);
    }
    Set<String> secret = new HashSet<>();
    workflow
        .outputs()
        .forEach(
            (name, output) -> {
              if (output.secrecy() == Workflow.Secrecy.SECRET) {
                secret.add(name);
              }
            });
    Optional<StepError> refusal = OutputLimits.refusal(outputs);
    if (refusal.isPresent()) {
      return new RunEnd(RunState.FAILED, Map.of(), refusal.get(), null, warnings);
    }
    return new RunEnd(RunState.SUCCEEDED, values.seal(outputs, secret), null, null, warnings);
  }

  private static StepError ofStep(StepRecord step) {
    StepError error = step.error();
    return error == null
        ? StepError.permanent("step", "step '" + step.name() + "' failed", null)
        : new StepError(
            error.code(),
            "step '" + step.name() + "' failed: " + error.message(),
            error.kind(),
            error.hint());
  }

  private static String message(StepRecord step) {
    return step.error() == null ? "no reason given" : step.error().message();
  }

  /** That the first step begins; nothing for a run that only looks at its subject. */
  static Optional<Report> begun(ClaimedRun run) {
    NewRun.Key subject = subject(run);
    return subject == null || subject.item() == null || looks(run)
        ? Optional.empty()
        : Optional.of(new Report(subject, Effect.STARTED, "run " + run.id() + " started", null));
  }

  /** A run that another one waits for reports to that one alone. */
  private static NewRun.@Nullable Key subject(ClaimedRun run) {
    return run.kind().belongsToAnother() ? null : run.subject().key();
  }

  private static boolean looks(ClaimedRun run) {
    return "read".equals(run.operation());
  }

  /** The report of the end; a look reports only what it found. */
  Optional<Report> report(ClaimedRun run, RunValues values) {
    return looks(run) ? observation(run, values) : report(run);
  }

  private Optional<Report> observation(ClaimedRun run, RunValues values) {
    NewRun.Key subject = subject(run);
    if (subject == null || state != RunState.SUCCEEDED) {
      return unsuccessfulLook(run);
    }
    Drift drift = values.drift(outputs);
    StepError found = drift.error().map(values::masked).orElse(null);
    return Optional.of(
        new Report(
            subject,
            found == null ? Effect.AS_LEFT : Effect.DRIFTED,
            found == null ? "no drift" : "drift: " + drift.names(),
            found));
  }

  private Optional<Report> unsuccessfulLook(ClaimedRun run) {
    NewRun.Key subject = subject(run);
    if (subject == null) {
      return Optional.empty();
    }
    Effect effect =
        switch (error == null ? "" : error.code()) {
          case StepError.MISSING -> Effect.MISSING;
          case StepError.DRIFT -> Effect.DRIFTED;
          case StepError.NOT_OURS -> Effect.NOT_OURS;
          default -> Effect.NOT_SEEN;
        };
    String reason = error == null ? "run " + run.id() + " " + state.text() : error.message();
    return Optional.of(new Report(subject, effect, reason, error));
  }

  /** The same for a run without values: one that worked, or a look that failed. */
  Optional<Report> report(ClaimedRun run) {
    NewRun.Key subject = subject(run);
    if (subject == null || looks(run)) {
      return unsuccessfulLook(run);
    }
    Effect effect =
        switch (state) {
          case SUCCEEDED, PARTIAL -> Effect.SUCCEEDED;
          case FAILED, CANCELLED, PENDING, RUNNING, WAITING ->
              rollback == Rollback.COMPLETE ? Effect.ROLLED_BACK : Effect.FAILED;
        };
    return Optional.of(new Report(subject, effect, "run " + run.id() + " " + state.text(), error));
  }
}
