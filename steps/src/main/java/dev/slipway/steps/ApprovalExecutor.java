package dev.slipway.steps;

import dev.slipway.engine.execute.ApprovalDesk;
import dev.slipway.engine.execute.ApprovalDesk.Answer;
import dev.slipway.engine.execute.RefusedWriteException;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sha256;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests an approval and parks until it is decided; the waiting holds no thread and does not
 * count as time of the step. The request is bound to the step's inputs, so requesting again after a
 * crash finds the same approval.
 */
public record ApprovalExecutor(ApprovalDesk desk, InstantSource clock) implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "approval",
              Set.of(),
              List.of(
                  new Field("message", Kind.TEXT, Need.OPTIONAL, "what is asked"),
                  new Field("users", Kind.LIST, Need.OPTIONAL, "who may answer"),
                  new Field("teams", Kind.LIST, Need.OPTIONAL, "whose members may answer"),
                  new Field("roles", Kind.LIST, Need.OPTIONAL, "who with this role may answer"),
                  new Field("required", Kind.NUMBER, Need.OPTIONAL, "how many must say yes; 1"),
                  new Field("expires", Kind.DURATION, Need.OPTIONAL, "after which it fails; 72h"),
                  new Field(
                      "allowSelf",
                      Kind.BOOLEAN,
                      Need.OPTIONAL,
                      "who asked may answer if allowSelfApproval is on; false")),
              1,
              StepType.Code.NONE)
          .documented(
              "Waits until enough people said yes. No thread is held meanwhile.",
              "Rejected or expired fails the step. An answer is bound to the hash of what was"
                  + " asked: changed inputs ask again, a restart does not.")
          .giving("decision", "approved")
          .giving("by", "who said yes")
          .giving("at", "when")
          .giving("comment", "what they wrote");

  private static final Logger LOG = LoggerFactory.getLogger(ApprovalExecutor.class);
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);
  private static final Duration WITHDRAW_AGAIN = Duration.ofMillis(250);
  private static final Duration USUAL_EXPIRY = Duration.ofHours(72);

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) {
    Instant now = clock.instant();
    ApprovalDesk.Question question = question(call);
    Answer answer;
    try {
      answer = desk.ask(question, now);
    } catch (RefusedWriteException e) {
      return Result.failed(
          "question-refused",
          "the question cannot be kept: " + e.getMessage(),
          "Look for characters that no database keeps in message, users, teams and roles.");
    } catch (RuntimeException e) {
      LOG.warn(
          "step {} could not store its approval request, trying again: {}",
          call.key(),
          e.getMessage());
      // The decision may come long after the step's own timeout: the timeout does not apply.
      return new Result.Parked(now.plus(ASK_AGAIN), "the database", call.memory(), Limits.NONE);
    }
    return switch (answer) {
      case Answer.Pending pending ->
          new Result.Parked(pending.expiresAt(), "approval", call.memory(), Limits.NONE);
      case Answer.Granted granted -> granted(granted);
      case Answer.Rejected rejected ->
          Result.failed(
              "rejected",
              rejected.by()
                  + " rejected it"
                  + (rejected.comment().isBlank() ? "" : ": " + rejected.comment()),
              "Change what was asked for and try again.");
      case Answer.Expired expired ->
          Result.failed(
              "approval-expired",
              "no decision was made until " + expired.at(),
              "Retry the run to ask again.");
    };
  }

  /**
   * Withdraws the approval, because the run has ended. Retries until it is withdrawn or another
   * replica holds the run.
   */
  @Override
  public void stop(StepCall call) throws InterruptedException {
    while (!withdrawn(call)) {
      Thread.sleep(WITHDRAW_AGAIN);
    }
  }

  private boolean withdrawn(StepCall call) {
    try {
      desk.withdraw(call.run(), stepName(call), clock.instant());
      return true;
    } catch (RuntimeException e) {
      LOG.warn(
          "step {} could not withdraw its approval request, trying again: {}",
          call.key(),
          e.getMessage());
      return false;
    }
  }

  private static ApprovalDesk.Question question(StepCall call) {
    Map<String, Object> config = call.config();
    StepCall.Scope scope = call.scope();
    Object message = config.get("message");
    return new ApprovalDesk.Question(
        call.run(),
        call.epoch(),
        stepName(call),
        hash(call),
        message == null
            ? "May '%s' of workflow '%s' go on?".formatted(stepName(call), scope.workflow())
            : call.secrets().mask(String.valueOf(message)),
        texts(config.get("users")),
        texts(config.get("teams")),
        texts(config.get("roles")),
        config.get("required") instanceof Number number ? Math.max(1, number.intValue()) : 1,
        Boolean.TRUE.equals(config.get("allowSelf"))
            ? ApprovalDesk.Self.ALLOWED
            : ApprovalDesk.Self.REFUSED,
        WaitExecutor.duration(config.get("expires"), USUAL_EXPIRY),
        scope.requestedBy(),
        scope.root(),
        scope.environment(),
        scope.team());
  }

  /** The key names the step, also for one that undoes another. */
  private static String stepName(StepCall call) {
    String key = call.key();
    return key.substring(key.indexOf('/') + 1, key.lastIndexOf('/'));
  }

  private static Result granted(Answer.Granted granted) {
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("decision", "approved");
    outputs.put("by", String.join(", ", granted.by()));
    outputs.put("at", granted.at().toString());
    outputs.put("comment", granted.comment());
    return new Result.Succeeded(outputs, Set.of());
  }

  private static List<String> texts(@Nullable Object value) {
    return value instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  /** Over the rendered inputs and the attempt: a repeated attempt requests a new approval. */
  private static String hash(StepCall call) {
    Map<String, Object> sorted = new TreeMap<>(call.config());
    sorted.replaceAll((name, v) -> v instanceof Duration duration ? duration.toString() : v);
    String text = call.attempt() + " " + call.secrets().mask(Json.write(sorted));
    return Sha256.hex(text);
  }
}
