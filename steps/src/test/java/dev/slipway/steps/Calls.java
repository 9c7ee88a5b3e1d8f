package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.workflow.Retry;
import dev.slipway.engine.workflow.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Calls of executors as the engine makes them. */
public final class Calls {
  private Calls() {}

  public static Step step(String type, Map<String, Object> config) {
    return new Step(
        "do-it",
        type,
        config,
        Step.When.ON_SUCCESS,
        List.of(),
        List.of(),
        Duration.ofMinutes(1),
        Retry.ONCE,
        Map.of(),
        List.of(),
        null,
        Map.of(),
        Map.of(),
        new Step.OnError(Step.OnError.Action.FAIL, List.of()),
        List.of(),
        Optional.empty());
  }

  public static StepCall of(Step step, Map<String, Object> config, Lines log, Duration timeout) {
    UUID run = UUID.randomUUID();
    return new StepCall(
        run,
        step,
        1,
        1,
        run + "/" + step.name() + "/1",
        StepCall.Origin.FRESH,
        config,
        Map.of(),
        Map.of(),
        new StepCall.Scope(
            "guestbook",
            "default",
            "team-a",
            UUID.randomUUID(),
            "db",
            "postgres",
            "volume",
            "create",
            "make",
            "ann",
            null,
            new Grants(List.of(), List.of(), List.of("127.0.0.1", "localhost", "file://"))),
        Instant.now().plus(timeout),
        Secrets.none(),
        log);
  }

  public static StepCall of(String type, Map<String, Object> config) {
    return of(type, config, new Lines());
  }

  /** A call of a step that had parked with this memory. */
  public static StepCall of(String type, Map<String, Object> config, Map<String, Object> memory) {
    StepCall fresh = of(type, config);
    return new StepCall(
        fresh.run(),
        fresh.step(),
        fresh.attempt(),
        fresh.epoch(),
        fresh.key(),
        StepCall.Origin.RESUMED,
        config,
        fresh.env(),
        memory,
        fresh.scope(),
        fresh.deadline(),
        fresh.secrets(),
        fresh.log());
  }

  /** The same call with less time, or more. */
  public static StepCall within(Duration timeout, StepCall call) {
    return new StepCall(
        call.run(),
        call.step(),
        call.attempt(),
        call.epoch(),
        call.key(),
        call.origin(),
        call.config(),
        call.env(),
        call.memory(),
        call.scope(),
        Instant.now().plus(timeout),
        call.secrets(),
        call.log());
  }

  /** The same call in a run that has these secrets. */
  public static StepCall knowing(Secrets secrets, StepCall call) {
    return new StepCall(
        call.run(),
        call.step(),
        call.attempt(),
        call.epoch(),
        call.key(),
        call.origin(),
        call.config(),
        call.env(),
        call.memory(),
        call.scope(),
        call.deadline(),
        secrets,
        call.log());
  }

  /** The same call for a provider with files. */
  public static StepCall in(Path provider, StepCall call) {
    return with(call, call.scope().grants(), provider.toString());
  }

  /** The same call for a provider that was granted this. */
  public static StepCall granted(StepCall call, Grants grants) {
    return with(call, grants, call.scope().providerDirectory());
  }

  private static StepCall with(StepCall call, Grants grants, String directory) {
    StepCall.Scope scope = call.scope();
    StepCall.Scope other =
        new StepCall.Scope(
            scope.application(),
            scope.environment(),
            scope.team(),
            scope.resource(),
            scope.resourceName(),
            scope.resourceType(),
            scope.provider(),
            scope.operation(),
            scope.workflow(),
            scope.requestedBy(),
            directory,
            grants);
    return copy(call, call.attempt(), call.origin(), call.config(), other);
  }

  /** The same call after a crash: its effect may have happened. */
  public static StepCall recovered(StepCall call) {
    return copy(call, call.attempt(), StepCall.Origin.RECOVERED, call.config(), call.scope());
  }

  /** The next attempt at the same step. */
  public static StepCall again(StepCall call) {
    return copy(call, call.attempt() + 1, StepCall.Origin.FRESH, call.config(), call.scope());
  }

  /** Another step of the same run. */
  public static StepCall inRun(StepCall call, Map<String, Object> config) {
    return copy(call, call.attempt(), call.origin(), config, call.scope());
  }

  private static StepCall copy(
      StepCall call,
      int attempt,
      StepCall.Origin origin,
      Map<String, Object> config,
      StepCall.Scope scope) {
    return new StepCall(
        call.run(),
        call.step(),
        attempt,
        call.epoch(),
        call.run() + "/" + call.step().name() + "/" + attempt,
        origin,
        config,
        call.env(),
        call.memory(),
        scope,
        call.deadline(),
        call.secrets(),
        call.log());
  }

  public static StepCall of(String type, Map<String, Object> config, Lines log) {
    return of(step(type, config), config, log, Duration.ofSeconds(20));
  }
}
