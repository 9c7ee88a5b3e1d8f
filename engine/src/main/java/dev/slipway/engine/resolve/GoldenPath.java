package dev.slipway.engine.resolve;

import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A workflow that people may start.
 *
 * @param allowedTeams teams that may start it; empty is every team
 * @param required parameters that its entry demands on top of what the workflow declares
 * @param defaults parameters that its entry sets unless the caller does
 * @param declared parameters that its entry describes; what it says counts before the workflow's
 */
public record GoldenPath(
    String name,
    String description,
    String category,
    List<String> tags,
    String estimatedDuration,
    List<String> allowedTeams,
    List<String> required,
    Map<String, Object> defaults,
    List<Parameter> declared,
    Resolution.Definition definition) {

  /** The same by another definition. */
  public GoldenPath by(Resolution.Definition other) {
    return new GoldenPath(
        name,
        description,
        category,
        tags,
        estimatedDuration,
        allowedTeams,
        required,
        defaults,
        declared,
        other);
  }

  /** Whether members of this team may start it. */
  public boolean open(String team) {
    return allowedTeams.isEmpty() || allowedTeams.contains(team);
  }

  /** What it takes: the workflow's parameters as its entry describes them, and the entry's own. */
  public List<Parameter> parameters() {
    List<Parameter> all = new ArrayList<>();
    for (Parameter own : definition.workflow().parameters()) {
      all.add(find(declared, own.name()).map(own::narrowedBy).orElse(own));
    }
    for (Parameter more : declared) {
      if (find(all, more.name()).isEmpty()) {
        all.add(more);
      }
    }
    return List.copyOf(all);
  }

  /** The workflow with those parameters. */
  public Workflow workflow() {
    return definition.workflow().withParameters(parameters());
  }

  private static java.util.Optional<Parameter> find(List<Parameter> all, String name) {
    return all.stream().filter(p -> p.name().equals(name)).findFirst();
  }
}
