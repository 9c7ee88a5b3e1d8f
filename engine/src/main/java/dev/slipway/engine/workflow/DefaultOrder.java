package dev.slipway.engine.workflow;

import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.TemplateScan.Holes;
import dev.slipway.engine.workflow.TemplateScan.Part;
import dev.slipway.gotemplate.Reference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which defaults are made from other parameters, and that none is made from itself. */
record DefaultOrder(List<Parameter> parameters, List<Section> fields) {
  void check() {
    Map<String, Set<String>> uses = new LinkedHashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      Set<String> used = new LinkedHashSet<>();
      mentions(fields.get(i)).forEach(mention -> used.addAll(used(mention)));
      uses.put(parameters.get(i).name(), used);
    }
    Dag.of(uses).cycle().ifPresent(this::report);
  }

  private void report(List<String> cycle) {
    List<String> names = parameters.stream().map(Parameter::name).toList();
    fields
        .get(names.indexOf(cycle.getFirst()))
        .error(
            "default",
            "cycle",
            "defaults are made from each other: " + String.join(" -> ", cycle),
            "Give one of them a value of its own.");
  }

  private List<Mention> mentions(Section section) {
    List<Mention> found =
        new MentionReader(section, Set.of())
            .values(section.located("default").orElse(null), section.path().child("default"))
            .found();
    List<String> names = new ArrayList<>(parameters.stream().map(Parameter::name).toList());
    names.addAll(ParameterBinding.INJECTED);
    for (Mention mention : found) {
      switch (mention.names().getFirst()) {
        case "steps" ->
            mention.error(section, "unknown-step", "a default is made before any step runs", null);
        case "variables" ->
            mention.error(
                section, "unknown-variable", "a default is made before variables are set", null);
        default ->
            used(mention).stream()
                .filter(name -> !names.contains(name))
                .forEach(
                    name ->
                        mention.error(
                            section,
                            "unknown-parameter",
                            "parameter '" + name + "' is not declared",
                            Nearest.hint(name, names)));
      }
    }
    return found;
  }

  private static List<String> used(Mention mention) {
    boolean parameter = mention.names().getFirst().equals("parameters");
    return parameter && mention.names().size() > 1 ? List.of(mention.names().get(1)) : List.of();
  }

  /** The parameters that a default is made from. */
  static Set<String> uses(@Nullable Object value) {
    Set<String> names = new LinkedHashSet<>();
    if (value instanceof Map<?, ?> map) {
      map.values().forEach(each -> names.addAll(uses(each)));
    } else if (value instanceof List<?> list) {
      list.forEach(each -> names.addAll(uses(each)));
    } else if (value instanceof String text && TemplateScan.hasTemplate(text)) {
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
