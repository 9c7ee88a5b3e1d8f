package dev.slipway.applications.plan;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.plan.FieldChange;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The difference between what is asked for and what is. {@code hash} changes whenever carrying it
 * out would do something else, and only then. No secret is in here.
 *
 * <p>Resources are told apart by their nodes: while one of another type takes the place of a
 * resource, the plan has two items of one name.
 *
 * @param waves what happens one after the other; the members of a wave side by side
 * @param criticalPath the longest chain of changes that wait for each other
 */
public record Plan(
    String application,
    String environment,
    String hash,
    Effect effect,
    List<Item> items,
    List<List<NodeRef>> waves,
    List<NodeRef> criticalPath,
    List<Diagnostic> warnings) {

  /** Whether carrying it out would do anything. */
  public enum Effect {
    CHANGES,
    NONE
  }

  /**
   * One resource.
   *
   * @param node as the graph names it
   * @param definition hash over the provider's content
   * @param note what is special about it: {@code update-unsupported}, {@code retained}, {@code
   *     orphaned}, {@code released}, {@code adopted}, {@code shared}, {@code in-progress}, {@code
   *     waits-for-deletion}, {@code retry}; or null
   */
  public record Item(
      String name,
      String identity,
      NodeRef node,
      String type,
      Change change,
      @Nullable String provider,
      @Nullable String workflow,
      @Nullable String definition,
      List<FieldChange> fields,
      List<Dependency> dependsOn,
      @Nullable String note) {

    Item dependingOn(List<Dependency> needed) {
      return new Item(
          name, identity, node, type, change, provider, workflow, definition, fields, needed, note);
    }

    /** Names of what it depends on, as people call them. */
    public List<String> dependencyNames() {
      return dependsOn.stream().map(Dependency::name).distinct().toList();
    }

    /** Nodes of what it depends on. */
    public List<NodeRef> dependencyNodes() {
      return dependsOn.stream().map(Dependency::node).toList();
    }
  }

  /** What an item depends on, whether or not the plan changes that. */
  public record Dependency(String name, NodeRef node) {
    static final Comparator<Dependency> BY_NAME =
        Comparator.comparing(Dependency::name).thenComparing(Dependency::node);
  }

  /** The names of these nodes, as people call them. */
  public List<String> names(List<NodeRef> nodes) {
    Map<NodeRef, String> names =
        items.stream().collect(Collectors.toMap(Item::node, Item::name, (one, _) -> one));
    return nodes.stream().map(node -> names.getOrDefault(node, node.text())).toList();
  }

  /** The same with these warnings before its own. */
  public Plan with(List<Diagnostic> earlier) {
    List<Diagnostic> all = Stream.concat(earlier.stream(), warnings.stream()).toList();
    return new Plan(application, environment, hash, effect, items, waves, criticalPath, all);
  }

  public Plan {
    items = List.copyOf(items);
    waves = List.copyOf(waves);
    criticalPath = List.copyOf(criticalPath);
    warnings = List.copyOf(warnings);
  }
}
