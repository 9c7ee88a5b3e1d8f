package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a playbook. {@code hosts} is the recap of each host, {@code failures} the task that
 * failed on a host and its message, {@code data} the data of set_stats, {@code perHost} its data
 * per host.
 */
record AnsibleReport(
    Map<String, Object> hosts,
    Map<String, Object> failures,
    Map<String, Object> data,
    Map<String, Object> perHost) {
  private static final int LARGEST = 4 * 1024 * 1024;
  private static final int MOST_NAMED = 5;

  static AnsibleReport read(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return of("");
    }
    if (Files.size(file) > LARGEST) {
      throw new IllegalArgumentException("set_stats left more than 4 MiB");
    }
    return of(Files.readString(file));
  }

  /** Reads its text; empty when the playbook did not get that far. */
  static AnsibleReport of(String text) {
    Map<String, Object> report = text.isEmpty() ? Map.of() : Json.readMap(text);
    return new AnsibleReport(
        Values.map(report.get("hosts")),
        Values.map(report.get("failures")),
        Values.map(report.get("data")),
        Values.map(report.get("per_host")));
  }

  /** The outputs that every playbook has. */
  Map<String, Object> recap() {
    Map<String, Object> recap = new LinkedHashMap<>();
    recap.put("stats", hosts);
    recap.put("changed", hosts.keySet().stream().anyMatch(host -> count(host, "changed") > 0));
    if (!perHost.isEmpty()) {
      recap.put("per_host", perHost);
    }
    return recap;
  }

  /** The failures by host; an unreachable host makes the step retryable. */
  Optional<StepError> failure() {
    List<String> failed = hosts.keySet().stream().filter(h -> count(h, "failed") > 0).toList();
    List<String> away = hosts.keySet().stream().filter(h -> count(h, "unreachable") > 0).toList();
    if (!failed.isEmpty()) {
      String also = away.isEmpty() ? "" : "; unreachable: " + String.join(", ", away);
      return Optional.of(
          StepError.permanent(
              "playbook-failed",
              sentence(failed, "failed") + also,
              "The step's log has the whole output of the task."));
    }
    return away.isEmpty()
        ? Optional.empty()
        : Optional.of(
            StepError.passing(
                "host-unreachable",
                sentence(away, "found the host unreachable"),
                "Is the host up, and may this server sign in there?"));
  }

  private String sentence(List<String> names, String what) {
    List<String> sentences =
        names.stream().limit(MOST_NAMED).map(name -> sentence(name, what)).toList();
    int more = names.size() - sentences.size();
    return String.join("; ", sentences) + (more > 0 ? "; and " + more + " more hosts" : "");
  }

  private String sentence(String host, String what) {
    Map<String, Object> failure = Values.map(failures.get(host));
    if (failure.isEmpty()) {
      return host + ": a task " + what;
    }
    String message = String.valueOf(failure.get("message")).strip();
    return host
        + ": task '"
        + failure.get("task")
        + "' "
        + what
        + (message.isEmpty() ? "" : ": " + message);
  }

  private long count(String host, String what) {
    return Values.map(hosts.get(host)).get(what) instanceof Number n ? n.longValue() : 0;
  }
}
