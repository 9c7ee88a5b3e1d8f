package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.TemplateScan.Holes;
import dev.slipway.engine.workflow.TemplateScan.Part;
import dev.slipway.gotemplate.Reference;
import dev.slipway.gotemplate.TemplateException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which defaults are made from other parameters, and that none is made from itself. */
final class DefaultOrder {
  private final Section body;
  private final List<Parameter> parameters;

  DefaultOrder(Section body, List<Parameter> parameters) {
    this.body = body;
    this.parameters = parameters;
  }

  void check() {
    Map<String, Set<String>> uses = new LinkedHashMap<>();
    for (Parameter parameter : parameters) {
      try {
        uses.put(parameter.name(), uses(parameter.defaultValue()));
      } catch (TemplateException e) {
        body.error(
            "parameters",
            "invalid-template",
            "default of '" + parameter.name() + "': " + e.reason(),
            e.hint().orElse(null));
      }
    }
    for (String name : uses.keySet()) {
      List<String> loop = loop(name, uses, new ArrayList<>());
      if (!loop.isEmpty()) {
        body.error(
            "parameters",
            "cycle",
            "defaults are made from each other: " + String.join(" -> ", loop),
            "Give one of them a value of its own.");
        return;
      }
    }
  }

  private static List<String> loop(String name, Map<String, Set<String>> uses, List<String> path) {
    if (path.contains(name)) {
      List<String> loop = new ArrayList<>(path.subList(path.indexOf(name), path.size()));
      loop.add(name);
      return loop;
    }
    path.add(name);
    for (String next : uses.getOrDefault(name, Set.of())) {
      List<String> loop = loop(next, uses, path);
      if (!loop.isEmpty()) {
        return loop;
      }
    }
    path.removeLast();
    uses.put(name, Set.of());
    return List.of();
  }

  /** The parameters that a default is made from. */
  static Set<String> uses(Object value) {
    Set<String> names = new LinkedHashSet<>();
    if (value instanceof String text && TemplateScan.hasTemplate(text)) {
      for (Reference reference : TextTemplate.of(text).references()) {
        add(reference.path(), names);
      }
      for (Part part : TemplateScan.parts(text, new Holes.All())) {
        if (part instanceof Part.Hole hole
            && Placeholder.read(hole.inside()) instanceof Placeholder.Chain chain) {
          add(chain.names(), names);
        }
      }
    }
    return names;
  }

  private static void add(List<String> path, Set<String> names) {
    if (path.size() > 1 && path.getFirst().equals("parameters")) {
      names.add(path.get(1));
    }
  }
}
