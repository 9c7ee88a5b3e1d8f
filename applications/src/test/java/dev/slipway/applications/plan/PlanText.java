package dev.slipway.applications.plan;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.plan.FieldChange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plans as the tables of cases write them. */
final class PlanText {
  private PlanText() {}

  /** {@code db update (retry) by update-postgres}. */
  static String items(Planned planned) {
    return planned.plan().items().stream().map(PlanText::item).collect(Collectors.joining(", "));
  }

  private static String item(Plan.Item item) {
    String note = item.note() == null ? "" : " (" + item.note() + ")";
    String workflow = item.workflow() == null ? "" : " by " + item.workflow();
    return item.name() + " " + item.change().text() + note + workflow;
  }

  /** Codes of everything that forbids it: {@code unknown-output at resources.db.params}. */
  static String problems(Planned planned) {
    List<String> all = new ArrayList<>();
    planned.errors().forEach(error -> all.add(error.code() + " at " + error.path()));
    planned.obstacles().forEach(o -> all.add(o.code() + " " + String.join("+", o.related())));
    planned.undeletable().forEach(name -> all.add("undeletable " + name));
    return String.join(", ", all);
  }

  /** {@code size 1->2, name +b}. */
  static String fields(Planned planned) {
    return planned.plan().items().stream()
        .flatMap(item -> item.fields().stream())
        .map(PlanText::field)
        .collect(Collectors.joining(", "));
  }

  private static String field(FieldChange field) {
    return switch (field.kind()) {
      case ADDED -> field.path() + " +" + field.after();
      case REMOVED -> field.path() + " -" + field.before();
      case CHANGED -> field.path() + " " + field.before() + "->" + field.after();
    };
  }

  /** {@code net, db+cache}: the waves. */
  static String waves(Plan plan) {
    return plan.waves().stream()
        .map(wave -> String.join("+", plan.names(wave)))
        .collect(Collectors.joining(", "));
  }

  /** Names of the nodes of waves: {@code postgres.default#shop.db}. */
  static List<String> nodes(List<List<NodeRef>> waves) {
    return waves.stream()
        .map(wave -> wave.stream().map(NodeRef::name).collect(Collectors.joining("+")))
        .toList();
  }

  /** Everything that tells two plans apart for a person. */
  static String all(Planned planned) {
    return Stream.of(items(planned), problems(planned))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("; "));
  }
}
