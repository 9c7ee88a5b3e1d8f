package dev.slipway.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A table of what was measured. */
final class Figures {
  private final List<Map.Entry<String, String>> rows = new ArrayList<>();

  void add(String what, String measured, String goal, String baseline, Duration is, Duration base) {
    add(what, measured, goal, baseline, "%.2f".formatted((double) is.toNanos() / base.toNanos()));
  }

  void add(String what, String measured, String goal, String baseline, String ratio) {
    rows.add(
        Map.entry(
            what, "| %s | %s | %s | %s | %s |".formatted(what, measured, goal, baseline, ratio)));
    System.err.println(rows.getLast().getValue());
  }

  void print() {
    System.out.println("| what | measured | goal | baseline | ratio |\n|---|---|---|---|---|");
    rows.forEach(row -> System.out.println(row.getValue()));
  }
}
