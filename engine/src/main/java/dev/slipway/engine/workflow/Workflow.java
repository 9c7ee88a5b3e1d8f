package dev.slipway.engine.workflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A workflow as its author wrote it, checked. Immutable; a run keeps the one it began with. */
public record Workflow(
    String name,
    String description,
    List<Parameter> parameters,
    Map<String, Object> variables,
    List<Step> steps,
    Map<String, Output> outputs,
    List<ProgramNeed> programs) {
  /**
   * A named result: a value whose strings are templates, rendered when all steps are done, and
   * whether it is secret.
   */
  public record Output(@Nullable Object value, Secrecy secrecy) {}

  /** Whether a value may be shown. */
  public enum Secrecy {
    PLAIN,
    SECRET
  }

  public Workflow {
    parameters = List.copyOf(parameters);
    steps = List.copyOf(steps);
    programs = List.copyOf(programs);
  }

  /** The same with other parameters. */
  public Workflow withParameters(List<Parameter> others) {
    return new Workflow(name, description, others, variables, steps, outputs, programs);
  }

  /** The step of that name. */
  public Optional<Step> step(String name) {
    return steps.stream().filter(s -> s.name().equals(name)).findFirst();
  }
}
