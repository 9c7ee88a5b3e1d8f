package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.Plan;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.plan.FieldChange;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A plan as JSON values, as it is stored. */
public final class PlanTree {
  private PlanTree() {}

  /** Of this plan. */
  public static Map<String, @Nullable Object> of(Plan plan) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("application", plan.application());
    tree.put("environment", plan.environment());
    tree.put("hash", plan.hash());
    tree.put("effect", plan.effect().name().toLowerCase(Locale.ROOT));
    tree.put("summary", summary(plan));
    tree.put("items", plan.items().stream().map(PlanTree::item).toList());
    tree.put("waves", plan.waves().stream().map(plan::names).toList());
    tree.put("waveNodes", plan.waves().stream().map(PlanTree::texts).toList());
    tree.put("criticalPath", plan.names(plan.criticalPath()));
    tree.put("warnings", plan.warnings().stream().map(PlanTree::diagnostic).toList());
    return tree;
  }

  /** A stored plan as the API shows it: the node of an item follows from its identity. */
  static Map<String, Object> shown(Map<String, Object> stored) {
    ApplicationRefs refs =
        new ApplicationRefs(
            String.valueOf(stored.get("application")), String.valueOf(stored.get("environment")));
    List<Object> items = new ArrayList<>();
    for (Object item : (List<?>) stored.getOrDefault("items", List.of())) {
      Map<String, Object> shown = new LinkedHashMap<>(Values.map(item));
      NodeRef node = refs.resource(String.valueOf(shown.get("identity")));
      shown.put("node", node.text());
      items.add(shown);
    }
    Map<String, Object> out = new LinkedHashMap<>(stored);
    out.put("items", items);
    return out;
  }

  private static Map<String, Object> summary(Plan plan) {
    Map<String, Object> counts = new LinkedHashMap<>();
    for (var change : dev.slipway.engine.plan.Change.values()) {
      long count = plan.items().stream().filter(i -> i.change() == change).count();
      counts.put(change.text(), count);
    }
    return counts;
  }

  private static Map<String, @Nullable Object> item(Plan.Item item) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("name", item.name());
    tree.put("identity", item.identity());
    tree.put("type", item.type());
    tree.put("change", item.change().text());
    tree.put("provider", item.provider());
    tree.put("workflow", item.workflow());
    tree.put("definition", item.definition());
    tree.put("fields", item.fields().stream().map(PlanTree::field).toList());
    tree.put("dependsOn", item.dependencyNames());
    tree.put("dependsOnNodes", texts(item.dependencyNodes()));
    tree.put("note", item.note());
    tree.values().removeIf(Objects::isNull);
    return tree;
  }

  private static List<String> texts(List<NodeRef> nodes) {
    return nodes.stream().map(NodeRef::text).toList();
  }

  private static Map<String, @Nullable Object> field(FieldChange field) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("path", field.path());
    tree.put("kind", field.kind().name().toLowerCase(Locale.ROOT));
    tree.put("before", field.before());
    tree.put("after", field.after());
    tree.values().removeIf(Objects::isNull);
    return tree;
  }

  /** A finding as the API shows it. */
  public static Map<String, @Nullable Object> diagnostic(Diagnostic diagnostic) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("severity", diagnostic.severity().word());
    tree.put("code", diagnostic.code());
    tree.put("path", diagnostic.path());
    tree.put("file", diagnostic.file());
    tree.put("line", diagnostic.line());
    tree.put("column", diagnostic.column());
    tree.put("message", diagnostic.message());
    tree.put("hint", diagnostic.hint());
    tree.values().removeIf(Objects::isNull);
    return tree;
  }

  /** The names in a stored choice. */
  static List<String> names(@Nullable Object list) {
    return list instanceof List<?> names ? names.stream().map(String::valueOf).toList() : List.of();
  }
}
