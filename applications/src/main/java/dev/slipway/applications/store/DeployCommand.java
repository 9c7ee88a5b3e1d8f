package dev.slipway.applications.store;

import dev.slipway.applications.score.Score;
import dev.slipway.applications.score.ScoreIntake;
import dev.slipway.applications.score.Submission;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.lifecycle.State;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A document that was read, and what else a request says. */
record DeployCommand(
    Score score,
    List<Diagnostic> warnings,
    String environment,
    Optional<String> team,
    Optional<String> planHash,
    Choices choices,
    Optional<Long> ifVersion,
    Kind kind) {

  /** What was confirmed. */
  record Choices(Set<String> replace, Set<String> orphan) {
    static final Choices NONE = new Choices(Set.of(), Set.of());
  }

  /** The kind of a deployment, as stored and shown. */
  enum Kind implements State {
    DEPLOY,
    ROLLBACK,
    TEARDOWN
  }

  static DeployCommand of(Applications.DeployRequest request) {
    ScoreIntake.Outcome.Accepted read =
        read(request.file(), request.score(), Submission.uploaded(request.images()));
    Score score = read.score();
    String environment =
        request
            .environment()
            .or(() -> score.environment().map(Score.RequestedEnvironment::name))
            .orElse("default");
    return new DeployCommand(
        score,
        read.diagnostics(),
        environment,
        request.team(),
        request.planHash(),
        new Choices(request.replace(), request.orphan()),
        request.ifVersion(),
        Kind.DEPLOY);
  }

  private static ScoreIntake.Outcome.Accepted read(
      String file, byte[] bytes, Submission submission) {
    return switch (ScoreIntake.read(file, bytes, submission)) {
      case ScoreIntake.Outcome.Accepted accepted -> accepted;
      case ScoreIntake.Outcome.Refused(ScoreIntake.Stage stage, List<Diagnostic> diagnostics) ->
          throw new RefusedException(
              new Refusal.Invalid(
                  stage == ScoreIntake.Stage.PARSE
                      ? Refusal.Invalid.Stage.UNREADABLE
                      : Refusal.Invalid.Stage.CONTENT,
                  diagnostics));
    };
  }

  /** A document that was accepted before, as it is stored but with its secrets open. */
  static Score again(String file, byte[] json) {
    return read(file, json, Submission.uploaded(java.util.Map.of())).score();
  }
}
