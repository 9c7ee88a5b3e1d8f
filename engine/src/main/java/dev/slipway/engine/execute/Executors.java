package dev.slipway.engine.execute;

import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepTypes;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The executors at hand, by the names of their step types. */
public final class Executors {
  private final Map<String, StepExecutor> byName = new TreeMap<>();
  private final StepTypes types;

  /** These. */
  public Executors(Collection<StepExecutor> executors) {
    this.types = new StepTypes(executors.stream().map(StepExecutor::type).toList());
    for (StepExecutor executor : executors) {
      StepType type = executor.type();
      byName.put(type.name(), executor);
      type.aliases().forEach(alias -> byName.put(alias, executor));
    }
  }

  /** The executor of that step type or alias. */
  public Optional<StepExecutor> find(String type) {
    return Optional.ofNullable(byName.get(type));
  }

  /** What a workflow may use. */
  public StepTypes types() {
    return types;
  }
}
