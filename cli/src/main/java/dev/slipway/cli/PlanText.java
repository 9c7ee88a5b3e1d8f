package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plan as people read it. */
record PlanText(Screen screen) {
  static boolean changes(Map<String, Object> plan) {
    return !"none".equalsIgnoreCase(String.valueOf(plan.get("effect")));
  }

  List<String> lines(Map<String, Object> plan) {
    List<String> lines = new ArrayList<>();
    lines.add(
        screen.paint(
            Ink.BOLD, "Plan for " + plan.get("application") + " in " + plan.get("environment")));
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Map<String, Object> item : Api.items(plan.get("items"))) {
      String change = String.valueOf(item.get("change")).toLowerCase(Locale.ROOT).replace('_', '-');
      counts.merge(change, 1, Integer::sum);
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

  private List<String> item(Map<String, Object> item, String change) {
    List<String> lines = new ArrayList<>();
    StringBuilder head =
        new StringBuilder("  ").append(sign(change)).append(' ').append(item.get("name"));
    head.append(" (").append(item.get("type")).append(')');
    if (item.get("provider") != null && !change.equals("no-op")) {
      head.append(" by ").append(item.get("provider")).append('/').append(item.get("workflow"));
    }
    if (item.get("note") != null) {
      head.append(" [").append(item.get("note")).append(']');
    }
    lines.add(screen.paint(ink(change), head.toString()));
    for (Map<String, Object> field : Api.items(item.get("fields"))) {
      lines.add("      " + field(field));
    }
    return lines;
  }

  private static String field(Map<String, Object> field) {
    String path = String.valueOf(field.get("path"));
    return switch (String.valueOf(field.get("kind")).toUpperCase(Locale.ROOT)) {
      case "ADDED" -> "+ " + path + ": " + value(field.get("after"));
      case "REMOVED" -> "- " + path + ": " + value(field.get("before"));
      default ->
          "~ " + path + ": " + value(field.get("before")) + " -> " + value(field.get("after"));
    };
  }

  private static String value(@Nullable Object value) {
    return value instanceof String s && s.startsWith("(") ? s : Json.write(value);
  }

  private static String sign(String change) {
    return switch (change) {
      case "create" -> "+";
      case "update" -> "~";
      case "replace" -> "±";
      case "delete" -> "-";
      case "unknown" -> "?";
      default -> "=";
    };
  }

  private static Ink ink(String change) {
    return switch (change) {
      case "create" -> Ink.GOOD;
      case "update", "unknown" -> Ink.WARN;
      case "replace", "delete" -> Ink.BAD;
      default -> Ink.DIM;
    };
  }

  private static String summary(Map<String, Integer> counts) {
    List<String> parts = new ArrayList<>();
    for (String change : List.of("create", "update", "replace", "delete", "unknown", "no-op")) {
      if (counts.containsKey(change)) {
        parts.add(
            counts.get(change) + " " + (change.equals("no-op") ? "unchanged" : "to " + change));
      }
    }
    return String.join(", ", parts) + ".";
  }
}
