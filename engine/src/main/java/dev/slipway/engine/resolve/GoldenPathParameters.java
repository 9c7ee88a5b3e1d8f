package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.intake.Spelling;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.ParameterParser;
import dev.slipway.engine.workflow.WorkflowForms;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The parameters that a golden path describes beside its workflow. */
final class GoldenPathParameters {
  private GoldenPathParameters() {}

  /** Each is a value, or says what the value must be. */
  static void read(Section entry, List<Parameter> declared, Map<String, Object> values) {
    entry
        .openMap("parameters")
        .forEach(
            (name, value) -> {
              if (value instanceof Map<?, ?> map && isDescription(map)) {
                declared.add(ParameterParser.described(name, entry.section("parameters", name)));
              } else if (value != null && !value.equals("")) {
                values.put(name, value);
              }
            });
  }

  private static boolean isDescription(Map<?, ?> map) {
    Set<String> fields = WorkflowForms.PARAMETER_BY_NAME.names();
    boolean some =
        map.keySet().stream().anyMatch(key -> fields.contains(Spelling.camel(String.valueOf(key))));
    return some
        && map.keySet().stream()
            .allMatch(key -> Nearest.to(String.valueOf(key), fields).isPresent());
  }
}
