package dev.slipway.engine.workflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workflow as its author wrote it, checked. Immutable; a run keeps the one it began with. */
public record Workflow(
    String name,
    String description,
    List<Parameter> parameters,
    Map<String, Object> variables,
    List<Step> steps,
    Map<String, Output> outputs) {

  /** A named result: a template and whether it is secret. */
  public record Output(String template, Secrecy secrecy) {}

  /** Whether a value may be shown. */
  public enum Secrecy {
    PLAIN,
    SECRET
  }

  public Workflow {
    parameters = List.copyOf(parameters);
    steps = List.copyOf(steps);
  }

  /** The step of that name. */
  public Optional<Step> step(String name) {
    return steps.stream().filter(s -> s.name().equals(name)).findFirst();
  }
}
