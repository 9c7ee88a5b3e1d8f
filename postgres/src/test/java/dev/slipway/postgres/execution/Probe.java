package dev.slipway.postgres.execution;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.workflow.StepType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Does what the test says, step by step, and keeps a record of every call. */
final class Probe implements StepExecutor {
  /** What a step does. */
  interface Behaviour {
    Result execute(StepCall call) throws InterruptedException;
  }

  final List<StepCall> calls = new CopyOnWriteArrayList<>();
  final List<StepCall> stops = new CopyOnWriteArrayList<>();
  private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();

  static final Result DONE = new Result.Succeeded(Map.of(), Set.of());

  void on(String step, Behaviour behaviour) {
    behaviours.put(step, behaviour);
  }

  List<String> keys() {
    return calls.stream().map(StepCall::key).toList();
  }

  List<String> names() {
    return calls.stream().map(c -> c.key().split("/", 2)[1]).toList();
  }

  @Override
  public StepType type() {
    return new StepType(
        "probe",
        Set.of(),
        List.of(new StepType.Field("text", StepType.Kind.TEXT, StepType.Need.OPTIONAL, "any text")),
        1,
        StepType.Code.NONE);
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    calls.add(call);
    Behaviour behaviour = behaviours.get(call.step().name());
    return behaviour == null ? DONE : behaviour.execute(call);
  }

  @Override
  public void stop(StepCall call) {
    stops.add(call);
  }
}
