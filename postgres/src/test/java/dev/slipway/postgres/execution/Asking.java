package dev.slipway.postgres.execution;

import dev.slipway.engine.execute.ApprovalDesk;
import dev.slipway.engine.execute.ApprovalDesk.Answer;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Steps that ask for an approval at the real desk; it expires after an hour. */
final class Asking implements StepExecutor {
  private final ApprovalDesk desk;
  private final InstantSource clock;

  Asking(ApprovalDesk desk, InstantSource clock) {
    this.desk = desk;
    this.clock = clock;
  }

  @Override
  public StepType type() {
    return new StepType(
        "approval",
        Set.of(),
        List.of(
            new Field("message", Kind.TEXT, Need.OPTIONAL, "what is asked"),
            new Field("required", Kind.NUMBER, Need.OPTIONAL, "how many must say yes")),
        1,
        StepType.Code.NONE);
  }

  @Override
  public Result execute(StepCall call) {
    return switch (desk.ask(question(call), clock.instant())) {
      case Answer.Pending pending ->
          new Result.Parked(pending.expiresAt(), "approval", Map.of(), Limits.NONE);
      case Answer.Granted granted ->
          new Result.Succeeded(Map.of("by", String.join(", ", granted.by())), Set.of());
      case Answer.Rejected rejected -> failed("rejected");
      case Answer.Expired expired -> failed("approval-expired");
    };
  }

  private static Result failed(String code) {
    return new Result.Failed(StepError.permanent(code, code, null), Map.of());
  }

  private static ApprovalDesk.Question question(StepCall call) {
    Object required = call.config().getOrDefault("required", 1L);
    return new ApprovalDesk.Question(
        call.run(),
        call.epoch(),
        call.step().name(),
        Json.write(new TreeMap<>(call.config())),
        String.valueOf(call.config().get("message")),
        List.of(),
        List.of(),
        List.of(),
        ((Number) required).intValue(),
        ApprovalDesk.Self.REFUSED,
        Duration.ofHours(1),
        call.scope().requestedBy(),
        call.scope().root(),
        call.scope().environment(),
        call.scope().team());
  }

  @Override
  public void stop(StepCall call) {
    desk.withdraw(call.run(), call.step().name(), clock.instant());
  }
}
