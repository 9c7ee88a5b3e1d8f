package dev.slipway.cli;

import dev.slipway.engine.plan.Change;
import dev.slipway.engine.plan.FieldChange;
import dev.slipway.engine.value.Json;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan as people read it. */
record PlanText(Screen screen) {
  private static final List<Change> SUMMARY =
      List.of(
          Change.CREATE,
          Change.UPDATE,
          Change.REPLACE,
          Change.DELETE,
          Change.UNKNOWN,
          Change.NO_OP);

  static boolean changes(Map<String, Object> plan) {
    return !"none".equalsIgnoreCase(String.valueOf(plan.get("effect")));
  }

  List<String> lines(Map<String, Object> plan) {
    List<String> lines = new ArrayList<>();
    lines.add(
        screen.paint(
            Ink.BOLD, "Plan for " + plan.get("application") + " in " + plan.get("environment")));
    Map<Change, Integer> counts = new EnumMap<>(Change.class);
    for (Map<String, Object> item : Api.items(plan.get("items"))) {
      Optional<Change> change = Choice.of(Change.class, item.get("change"));
      change.ifPresent(known -> counts.merge(known, 1, Integer::sum));
      lines.addAll(item(item, change));
    }
    Api.items(plan.get("warnings"))
        .forEach(w -> lines.add(screen.paint(Ink.WARN, ApiProblem.diagnostic(w))));
    if (plan.get("waves") instanceof List<?> waves && waves.size() > 1) {
      int number = 1;
      for (Object wave : waves) {
        lines.add(
            screen.paint(
                Ink.DIM,
                "  wave "
                    + number++
                    + ": "
                    + String.join(", ", ((List<?>) wave).stream().map(String::valueOf).toList())));
      }
    }
    lines.add(changes(plan) ? summary(counts) : "Nothing to do: everything is as the file says.");
    lines.add(screen.paint(Ink.DIM, "hash " + plan.get("hash")));
    return lines;
  }

  private List<String> item(Map<String, Object> item, Optional<Change> change) {
    List<String> lines = new ArrayList<>();
    StringBuilder head =
        new StringBuilder("  ")
            .append(change.map(PlanText::sign).orElse("="))
            .append(' ')
            .append(item.get("name"));
    head.append(" (").append(item.get("type")).append(')');
    if (item.get("provider") != null && !change.equals(Optional.of(Change.NO_OP))) {
      head.append(" by ").append(item.get("provider")).append('/').append(item.get("workflow"));
    }
    if (item.get("note") != null) {
      head.append(" [").append(item.get("note")).append(']');
    }
    lines.add(screen.paint(change.map(PlanText::ink).orElse(Ink.DIM), head.toString()));
    for (Map<String, Object> field : Api.items(item.get("fields"))) {
      lines.add("      " + field(field));
    }
    return lines;
  }

  private static String field(Map<String, Object> field) {
    String path = String.valueOf(field.get("path"));
    return switch (Choice.of(FieldChange.Kind.class, field.get("kind"))
        .orElse(FieldChange.Kind.CHANGED)) {
      case ADDED -> "+ " + path + ": " + value(field.get("after"));
      case REMOVED -> "- " + path + ": " + value(field.get("before"));
      case CHANGED ->
          "~ " + path + ": " + value(field.get("before")) + " -> " + value(field.get("after"));
    };
  }

  private static String value(@Nullable Object value) {
    return value instanceof String s && s.startsWith("(") ? s : Json.write(value);
  }

  private static String sign(Change change) {
    return switch (change) {
      case CREATE -> "+";
      case UPDATE -> "~";
      case REPLACE -> "±";
      case DELETE -> "-";
      case UNKNOWN -> "?";
      case NO_OP -> "=";
    };
  }

  private static Ink ink(Change change) {
    return switch (change) {
      case CREATE -> Ink.GOOD;
      case UPDATE, UNKNOWN -> Ink.WARN;
      case REPLACE, DELETE -> Ink.BAD;
      case NO_OP -> Ink.DIM;
    };
  }

  private static String summary(Map<Change, Integer> counts) {
    List<String> parts = new ArrayList<>();
    for (Change change : SUMMARY) {
      if (counts.containsKey(change)) {
        parts.add(
            counts.get(change)
                + " "
                + (change == Change.NO_OP ? "unchanged" : "to " + change.text()));
      }
    }
    return String.join(", ", parts) + ".";
  }
}
