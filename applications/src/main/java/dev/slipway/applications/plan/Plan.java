package dev.slipway.applications.plan;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.plan.FieldChange;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The difference between what is asked for and what is. {@code hash} changes whenever carrying it
 * out would do something else, and only then. No secret is in here.
 *
 * @param waves what happens one after the other; the members of a wave side by side
 * @param criticalPath names of the longest chain of changes that wait for each other
 */
public record Plan(
    String application,
    String environment,
    String hash,
    Effect effect,
    List<Item> items,
    List<List<String>> waves,
    List<String> criticalPath,
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
      List<String> dependsOn,
      @Nullable String note) {}

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
