package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.Step.SubWorkflow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads which workflow a step calls, and with which parameters. */
final class SubWorkflowParser {
  private SubWorkflowParser() {}

  static Optional<SubWorkflow> parse(Section section) {
    boolean named = section.located("workflow").isPresent();
    boolean typed = section.string("type", "").equals("workflow");
    Map<String, Object> parameters = section.openMap("parameters");
    boolean other = section.located("type").isPresent() && !typed;
    for (String key : List.of("workflow", "parameters")) {
      if (section.located(key).isPresent() && (other || !named && !typed)) {
        section.error(
            key,
            "unknown-field",
            "'" + key + "' belongs to a step of type workflow",
            "Write what the executor needs below 'config'.");
      }
    }
    if (section.string("workflow").filter(String::isBlank).isPresent()) {
      section.error("workflow", "invalid-value", "must not be empty", null);
    }
    return section.string("workflow").map(name -> new SubWorkflow(name, parameters));
  }
}
