package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Older ways to write the same thing, read with a warning that says what to write instead. */
record LegacyForms(Section body) {
  private static final Set<String> PRETENDED =
      Set.of(
          "validation",
          "security",
          "monitoring",
          "tagging",
          "cost-analysis",
          "resource-provisioning",
          "database-migration",
          "vault-setup");

  /** A parameter's own name where the map form gave one, and its fields. */
  record NamedSection(Optional<String> name, Section fields) {}

  /** {@code parameters} or {@code inputs}, as a list or as a map by name. */
  List<NamedSection> parameters() {
    String key = body.has("inputs") && !body.has("parameters") ? "inputs" : "parameters";
    if (key.equals("inputs")) {
      body.warning(key, "legacy-form", "'inputs' is an old name", "Write 'parameters'.");
    }
    List<NamedSection> found = new ArrayList<>();
    if (body.located(key).orElse(null) instanceof Located.Mapping) {
      body.warning(
          key, "legacy-form", "parameters as a map are an old form", "Write a list with names.");
      body.sectionMap(key).forEach((n, s) -> found.add(new NamedSection(Optional.of(n), s)));
    } else {
      body.sections(key).forEach(s -> found.add(new NamedSection(Optional.empty(), s)));
    }
    return found;
  }

  /** An output as it is written, and its fields in case it is a map of such. */
  record WrittenOutput(Located value, Supplier<Section> fields) {}

  /** {@code outputs} as a map, or as a list of {@code {name, value}}. */
  Map<String, WrittenOutput> outputs() {
    Map<String, WrittenOutput> found = new LinkedHashMap<>();
    switch (body.located("outputs").orElse(null)) {
      case null -> {}
      case Located.Mapping map ->
          map.entries()
              .forEach(
                  (name, e) ->
                      found.put(
                          name,
                          new WrittenOutput(
                              e.value(),
                              () ->
                                  body.section("outputs", name)
                                      .only(WorkflowForms.OUTPUT.names()))));
      case Located.Sequence _ -> {
        body.warning(
            "outputs", "legacy-form", "outputs as a list are an old form", "Write a map by name.");
        Located.Sequence list = (Located.Sequence) body.located("outputs").orElseThrow();
        List<Section> sections = body.sections("outputs");
        for (int i = 0; i < sections.size(); i++) {
          Section output = sections.get(i).only(WorkflowForms.LISTED_OUTPUT.names());
          String name = output.requiredString("name");
          if (!output.has("value")) {
            output.error("missing-field", "'value' is required", null);
          } else {
            found.put(name, new WrittenOutput(list.items().get(i), () -> output));
          }
        }
      }
      case Located.Scalar _ ->
          body.error("outputs", "wrong-type", "expected a map of names and templates", null);
    }
    return found;
  }

  /** {@code if}, formerly {@code condition}, unless that is a field of the executor. */
  static String ifKey(Section step, Optional<StepType> type) {
    return ConfigParser.takes(type, "condition") ? "if" : renamed(step, "condition", "if");
  }

  /** What to write for a step type that innominatus knew and only pretended to run. */
  static Optional<String> instead(String type) {
    return PRETENDED.contains(type)
        ? Optional.of("Nothing is pretended here: write type: shell with a script, or type: noop.")
        : Optional.empty();
  }

  /** The key that was written; a warning for the old one. */
  static String renamed(Section section, String old, String now) {
    if (!section.has(old) || section.has(now)) {
      section.has(now);
      return now;
    }
    section.warning(old, "legacy-form", "'" + old + "' is an old name", "Write '" + now + "'.");
    return old;
  }
}
