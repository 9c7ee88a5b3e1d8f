package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.ModuleStates.Workspace;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.value.Values;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The config of a step, parsed. */
record ModuleRequest(
    TerraformOperation operation,
    String path,
    Map<String, Object> variables,
    @Nullable String workspace,
    @Nullable String binary,
    Duration lockTimeout,
    StepCall call) {

  private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(1);

  static ModuleRequest of(StepCall call) {
    Map<String, Object> config = call.config();
    return new ModuleRequest(
        operation(call),
        String.valueOf(config.get("path")),
        Values.map(config.get("variables")),
        text(config.get("workspace")),
        text(config.get("binary")),
        Optional.ofNullable(config.get("lockTimeout"))
            .flatMap(DurationText::parseValue)
            .orElse(LOCK_TIMEOUT),
        call);
  }

  private static TerraformOperation operation(StepCall call) {
    String word = text(call.config().get("operation"));
    if (word != null) {
      if (!List.of(TerraformOperation.WORDS).contains(word)) {
        throw TerraformFailure.permanent(
            "invalid-config",
            "there is no operation '" + word + "'",
            Nearest.hintOrList(word, List.of(TerraformOperation.WORDS)));
      }
      return TerraformOperation.of(word);
    }
    if (Operation.DELETE.text().equals(call.scope().operation())) {
      throw TerraformFailure.permanent(
          "operation-required",
          "this workflow deletes, but the step does not say whether it destroys",
          "Write 'operation: destroy', or 'operation: apply' if that is meant.");
    }
    return TerraformOperation.APPLY;
  }

  private static @Nullable String text(@Nullable Object value) {
    String text = value == null ? "" : String.valueOf(value).strip();
    return text.isEmpty() ? null : text;
  }

  /**
   * The workspace of the state. Without a name it belongs to the resource, one for each of its
   * modules, so that every workflow of the resource finds it; a named one belongs to the provider's
   * workflows in that environment, and to the team whose run created it.
   */
  Workspace workspaceOf(String module) {
    StepCall.Scope scope = call.scope();
    if (workspace != null) {
      return new Workspace(
          StateKey.named(scope, workspace), scope.provider(), scope.resource(), scope.team());
    }
    if (scope.resource() == null) {
      throw TerraformFailure.permanent(
          "workspace-required",
          "this run is for no resource, so it is not clear whose state this is",
          "Name it: workspace: team-network, or with a template for one of several.");
    }
    return new Workspace(
        StateKey.ofResource(scope.resource(), module),
        scope.provider(),
        scope.resource(),
        scope.team());
  }
}
