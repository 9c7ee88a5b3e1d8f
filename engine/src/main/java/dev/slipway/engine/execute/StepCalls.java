package dev.slipway.engine.execute;

import dev.slipway.engine.resolve.Breach;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.Workflow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Makes the calls of executors for the steps of one run. */
final class StepCalls {
  private final LiveRun live;
  private final EngineContext context;
  private final ClaimedRun run;
  private final Workflow workflow;
  private final RunValues values;
  private final Map<String, String> granted;
  private final SecretOutputs secretOutputs;
  private final StepCall.Scope scope;
  private final Map<String, AtomicInteger> chunks = new ConcurrentHashMap<>();

  StepCalls(LiveRun live) {
    this.live = live;
    this.context = live.context;
    this.run = live.run;
    this.workflow = live.definition.workflow();
    this.values = live.values;
    this.granted = live.rules.variables();
    this.secretOutputs = live.secretOutputs;
    DefinitionSnapshot snapshot = live.definition.snapshot();
    this.scope =
        new StepCall.Scope(
            run.subject().rootRef(),
            run.environment(),
            run.team(),
            run.subject().nodeId(),
            run.subject().nodeName(),
            run.subject().nodeType(),
            snapshot.provider(),
            run.operation(),
            snapshot.workflow(),
            run.createdBy(),
            context.files().directory(snapshot),
            live.rules.grants());
  }

  /** A step rendered with the values of now. The hash is over its inputs, secrets left out. */
  record Prepared(
      StepExecutor executor,
      Map<String, Object> config,
      Map<String, String> env,
      String inputHash) {}

  boolean conditionsHold(Step step) {
    if (step.conditions().isEmpty()) {
      return true;
    }
    Scope view = values.view().withEnv(env(step));
    return step.conditions().stream().allMatch(c -> c.holds(view));
  }

  /** Why the policies of now do not let the step start. */
  Optional<StepError> refusal(Step step) {
    ProviderRules rules = live.rulesOfNow();
    return goldenPath(rules)
        .or(
            () ->
                rules.run(workflow, run.environment(), run.operation(), run.inputs().parameters()))
        .or(() -> rules.step(step))
        .map(breach -> StepError.permanent(Breach.CODE, breach.message(), breach.hint()));
  }

  private Optional<Breach> goldenPath(ProviderRules rules) {
    return run.kind() == NewRun.Kind.GOLDEN_PATH
            && run.inputs().context().get("goldenPath") instanceof String name
        ? rules.rules().product(scope.provider(), name)
        : Optional.empty();
  }

  Prepared prepare(NextSteps.Task task) {
    Step step = task.step();
    StepExecutor executor = executorOf(step);
    Map<String, String> env = env(step);
    Scope view = values.view().withEnv(env);
    Map<String, Object> config =
        judged(executor.type(), context.rendering().config(step, view), view);
    step.subWorkflow()
        .ifPresent(
            sub -> config.put("parameters", context.rendering().value(sub.parameters(), view)));
    return new Prepared(executor, config, env, InputHash.of(config, env, values.secrets()));
  }

  /** The secrets that its provider is granted, and what the step says itself. */
  private Map<String, String> env(Step step) {
    Map<String, String> env = new LinkedHashMap<>(granted);
    env.putAll(context.rendering().env(step, values.view().withEnv(granted)));
    return env;
  }

  /** The config in which each condition is whether it holds now. */
  private Map<String, Object> judged(StepType type, Map<String, Object> config, Scope view) {
    Map<String, Object> judged = new LinkedHashMap<>(config);
    for (StepType.Field field : type.fields()) {
      if (field.kind() == StepType.Kind.CONDITION && config.get(field.name()) != null) {
        String source = String.valueOf(config.get(field.name()));
        Step.Condition condition = new Step.Condition(source, Step.Condition.Expect.TRUE);
        judged.put(field.name(), condition.holds(view));
      }
    }
    return judged;
  }

  StepType typeOf(Step step) {
    return executorOf(step).type();
  }

  private StepExecutor executorOf(Step step) {
    return context
        .executors()
        .find(step.type())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "this server has no executor for step type '" + step.type() + "'"));
  }

  StepCall call(
      NextSteps.Task task,
      StepRecord record,
      Prepared prepared,
      StepCall.Origin origin,
      Instant deadline,
      RunLease lease) {
    Secrets secrets = values.secrets();
    StepLogBuffer log =
        new StepLogBuffer(
            run.id(),
            task.name(),
            record.attempt(),
            run.epoch(),
            context.clock(),
            new AtomicReference<>(secrets),
            secretOutputs.of(task.name()));
    log.after(
        chunks.computeIfAbsent(task.name() + "/" + record.attempt(), _ -> new AtomicInteger()),
        () -> context.logs().stored(run.id(), task.name(), record.attempt()));
    return new StepCall(
        run.id(),
        task.step(),
        record.attempt(),
        run.epoch(),
        run.id() + "/" + task.name() + "/" + record.attempt(),
        origin,
        prepared.config(),
        prepared.env(),
        record.parked() == null ? Map.of() : record.parked().memory(),
        scope,
        deadline,
        lease,
        secrets,
        log);
  }

  /** Who asks before a manual step. */
  StepExecutor gate() {
    return context
        .executors()
        .find("approval")
        .orElseThrow(() -> new IllegalStateException("manual steps need the approval executor"));
  }
}
