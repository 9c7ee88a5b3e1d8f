package dev.slipway.steps;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.graph.NodeRef;
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
  /** A lease that never ends. */
  public static final RunLease FOREVER = () -> {};

  /** The resource of the calls. */
  public static final UUID RESOURCE = UUID.fromString("0199a000-0000-7000-8000-00000000a11e");

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
            new NodeRef("application", "guestbook", "default"),
            "default",
            "team-a",
            RESOURCE,
            "db",
            "postgres",
            "volume",
            "create",
            "make",
            "ann",
            null,
            Grants.ofHosts("127.0.0.1", "localhost", "file://")
                .withConnections("pg", "maria")
                .withRepositories("*")),
        Instant.now().plus(timeout),
        FOREVER,
        Secrets.none(),
        log);
  }

  public static StepCall of(String type, Map<String, Object> config) {
    return of(type, config, new Lines());
  }

  public static StepCall of(String type, Map<String, Object> config, Lines log) {
    return of(step(type, config), config, log, Duration.ofSeconds(20));
  }

  /** A call of a step that had parked with this memory. */
  public static StepCall of(String type, Map<String, Object> config, Map<String, Object> memory) {
    Other fresh = new Other(of(type, config));
    fresh.origin = StepCall.Origin.RESUMED;
    fresh.memory = memory;
    return fresh.call();
  }

  /** The call of a step after it had parked with this memory. */
  public static StepCall resumed(StepCall call, Map<String, Object> memory) {
    Other other = new Other(call);
    other.origin = StepCall.Origin.RESUMED;
    other.memory = memory;
    return other.call();
  }

  /** The same call of a step that captures outputs. */
  public static StepCall capturing(StepCall call, Map<String, Step.Capture> capture) {
    Step s = call.step();
    Other other = new Other(call);
    other.step =
        new Step(
            s.name(),
            s.type(),
            s.config(),
            s.when(),
            s.conditions(),
            s.dependsOn(),
            s.timeout(),
            s.retry(),
            s.env(),
            s.outputs(),
            s.outputFile(),
            capture,
            s.setVariables(),
            s.onError(),
            s.compensate(),
            s.subWorkflow());
    return other.call();
  }

  /** The same call with less time, or more. */
  public static StepCall within(Duration timeout, StepCall call) {
    Other other = new Other(call);
    other.deadline = Instant.now().plus(timeout);
    return other.call();
  }

  /** The same call in a run that has these secrets. */
  public static StepCall knowing(Secrets secrets, StepCall call) {
    Other other = new Other(call);
    other.secrets = secrets;
    return other.call();
  }

  /** The same call with another log. */
  public static StepCall logging(StepLog log, StepCall call) {
    Other other = new Other(call);
    other.log = log;
    return other.call();
  }

  /** The same call under a lease that may end. */
  public static StepCall leased(RunLease lease, StepCall call) {
    Other other = new Other(call);
    other.lease = lease;
    return other.call();
  }

  /** The same call for a provider with files. */
  public static StepCall in(Path provider, StepCall call) {
    return with(call, call.scope().grants(), provider.toString());
  }

  /** The same call for a provider that was granted this. */
  public static StepCall granted(StepCall call, Grants grants) {
    return with(call, grants, call.scope().providerDirectory());
  }

  /** The same call for another resource, or for none. */
  public static StepCall of(Optional<UUID> resource, StepCall call) {
    Other other = new Other(call);
    other.scope = scope(call.scope(), resource.orElse(null));
    return other.call();
  }

  private static StepCall with(StepCall call, Grants grants, String directory) {
    Other other = new Other(call);
    StepCall.Scope scope = call.scope();
    other.scope =
        new StepCall.Scope(
            scope.root(),
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
    return other.call();
  }

  private static StepCall.Scope scope(StepCall.Scope scope, UUID resource) {
    return new StepCall.Scope(
        scope.root(),
        scope.environment(),
        scope.team(),
        resource,
        scope.resourceName(),
        scope.resourceType(),
        scope.provider(),
        scope.operation(),
        scope.workflow(),
        scope.requestedBy(),
        scope.providerDirectory(),
        scope.grants());
  }

  /** The same call after a crash: its effect may have happened. */
  public static StepCall recovered(StepCall call) {
    Other other = new Other(call);
    other.origin = StepCall.Origin.RECOVERED;
    return other.call();
  }

  /** The next attempt at the same step. */
  public static StepCall again(StepCall call) {
    Other other = new Other(call);
    other.attempt++;
    other.origin = StepCall.Origin.FRESH;
    return other.call();
  }

  /** Another step of the same run. */
  public static StepCall inRun(StepCall call, Map<String, Object> config) {
    Other other = new Other(call);
    other.config = config;
    return other.call();
  }

  /** A copy of a call with changes. */
  private static final class Other {
    final StepCall call;
    Step step;
    int attempt;
    StepCall.Origin origin;
    Map<String, Object> config;
    Map<String, Object> memory;
    StepCall.Scope scope;
    Instant deadline;
    RunLease lease;
    Secrets secrets;
    StepLog log;

    Other(StepCall call) {
      this.call = call;
      this.step = call.step();
      this.attempt = call.attempt();
      this.origin = call.origin();
      this.config = call.config();
      this.memory = call.memory();
      this.scope = call.scope();
      this.deadline = call.deadline();
      this.lease = call.lease();
      this.secrets = call.secrets();
      this.log = call.log();
    }

    StepCall call() {
      return new StepCall(
          call.run(),
          step,
          attempt,
          call.epoch(),
          call.run() + "/" + call.step().name() + "/" + attempt,
          origin,
          config,
          call.env(),
          memory,
          scope,
          deadline,
          lease,
          secrets,
          log);
    }
  }
}
