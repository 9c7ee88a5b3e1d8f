package dev.slipway.applications.plan;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.plan.FieldChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan as it is answered, schema {@code Plan}: resources by the names that people give them, and
 * by their nodes.
 */
public record PlanAnswer(
    String application,
    String environment,
    String hash,
    Plan.Effect effect,
    List<Item> items,
    List<List<String>> waves,
    List<List<NodeRef>> waveNodes,
    List<String> criticalPath,
    List<Diagnostic> warnings) {

  /** One resource. */
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
      List<NodeRef> dependsOnNodes,
      @Nullable String note) {

    static Item of(Plan.Item item) {
      return new Item(
          item.name(),
          item.identity(),
          item.node(),
          item.type(),
          item.change(),
          item.provider(),
          item.workflow(),
          item.definition(),
          item.fields(),
          item.dependencyNames(),
          item.dependencyNodes(),
          item.note());
    }
  }

  /** Of this plan. */
  public static PlanAnswer of(Plan plan) {
    return new PlanAnswer(
        plan.application(),
        plan.environment(),
        plan.hash(),
        plan.effect(),
        plan.items().stream().map(Item::of).toList(),
        plan.waves().stream().map(plan::names).toList(),
        plan.waves(),
        plan.names(plan.criticalPath()),
        plan.warnings());
  }
}
