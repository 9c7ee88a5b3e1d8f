package dev.slipway.engine.workflow;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All step types that can be executed, by name and alias. */
public final class StepTypes {
  private final Map<String, StepType> byName = new TreeMap<>();

  /** Of these types; two that share a name are a programming error. */
  public StepTypes(Collection<StepType> types) {
    for (StepType type : types) {
      put(type.name(), type);
      type.aliases().forEach(alias -> put(alias, type));
    }
  }

  private void put(String name, StepType type) {
    if (byName.put(name, type) != null) {
      throw new IllegalArgumentException("two executors claim step type " + name);
    }
  }

  /** The type of that name or alias. */
  public Optional<StepType> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Every type once, by name. */
  public List<StepType> all() {
    return byName.values().stream()
        .distinct()
        .sorted(java.util.Comparator.comparing(StepType::name))
        .toList();
  }

  /** Every name and alias, sorted. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }
}
