package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON lines of {@code plan} and {@code apply}: the log gets their messages, the step its
 * diagnostics and counts.
 */
final class MachineLog implements StepLog {
  private static final String BEGIN = "{\"@level\"";

  /** The number of resources that a plan or an apply adds, changes and destroys. */
  record Counts(long add, long change, long destroy) {
    static final Counts NONE = new Counts(0, 0, 0);
  }

  private final StepLog people;
  private final String module;
  private final List<Finding> findings = new ArrayList<>();
  private Counts counts = Counts.NONE;

  MachineLog(StepLog people, String module) {
    this.people = people;
    this.module = module;
  }

  @Override
  public synchronized void line(Stream stream, String text) {
    if (stream != Stream.STDOUT) {
      people.line(stream, text);
    } else if (text.startsWith(BEGIN)) {
      message(text);
    }
    // Anything else is the rest of a line that was too long to be read.
  }

  private void message(String line) {
    Map<String, Object> message;
    try {
      message = Json.readMap(line);
    } catch (RuntimeException e) {
      people.line(Stream.NOTE, "(a message too long to be shown)");
      return;
    }
    switch (String.valueOf(message.get("type"))) {
      case "diagnostic" -> finding(Finding.of(Values.map(message.get("diagnostic")), module));
      case "change_summary" -> {
        Map<String, Object> changes = Values.map(message.get("changes"));
        counts =
            new Counts(count(changes, "add"), count(changes, "change"), count(changes, "remove"));
        if (!"plan".equals(changes.get("operation"))) {
          say(message);
        }
      }
      case "planned_change", "resource_drift", "outputs", "version", "refresh_complete" -> {
        // already in the plan's text
      }
      default -> say(message);
    }
  }

  private void say(Map<String, Object> message) {
    String.valueOf(message.get("@message"))
        .strip()
        .lines()
        .forEach(text -> people.line(Stream.STDOUT, text));
  }

  private void finding(Finding finding) {
    findings.add(finding);
    String word = finding.isError() ? "Error: " : "Warning: ";
    people.line(finding.isError() ? Stream.STDERR : Stream.STDOUT, word + finding.sentence());
  }

  private static long count(Map<String, Object> changes, String key) {
    return changes.get(key) instanceof Number number ? number.longValue() : 0;
  }

  synchronized List<Finding> findings() {
    return List.copyOf(findings);
  }

  synchronized Counts counts() {
    return counts;
  }
}
