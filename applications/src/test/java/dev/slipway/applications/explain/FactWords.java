package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Explain.Facts;
import dev.slipway.applications.explain.Explain.Run;
import dev.slipway.applications.explain.Explain.Step;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded about a resource, in the tables of cases: {@code db: failed reason=Timeout
 * run=failed step=apply/failed error=StepFailed}. The run is {@code r1} of workflow {@code make};
 * further words: {@code missing=net/failed}, {@code dependents=api}, {@code unwanted}, and for the
 * step {@code attempt=2}, {@code for=job}, {@code wake}, {@code approval=ap1}.
 */
final class FactWords {
  static final Instant WAKE = Instant.parse("2026-03-01T10:05:00Z");

  private static final Instant SINCE = Instant.parse("2026-03-01T10:00:00Z");

  private final Map<String, String> words = new LinkedHashMap<>();

  private FactWords(String text) {
    for (String word : text.split("\\s+")) {
      int sign = word.indexOf('=');
      words.put(sign < 0 ? word : word.substring(0, sign), word.substring(sign + 1));
    }
  }

  static Facts read(String text) {
    String[] parts = text.strip().split("[:\\s]+", 3);
    String name = parts[0];
    FactWords words = new FactWords(parts.length < 3 ? "" : parts[2]);
    return new Facts(
        name,
        "id-" + name,
        "postgres.default#shop." + name,
        parts[1],
        SINCE,
        words.error("reason"),
        words.missing(),
        words.list("dependents"),
        words.run(),
        !words.words.containsKey("unwanted"));
  }

  private List<String> list(String word) {
    return Arrays.stream(words.getOrDefault(word, "").split(","))
        .filter(part -> !part.isEmpty())
        .toList();
  }

  private Map<String, String> missing() {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String entry : list("missing")) {
      missing.put(entry.split("/")[0], entry.split("/")[1]);
    }
    return missing;
  }

  private Optional<Run> run() {
    return Optional.ofNullable(words.get("run")).map(state -> new Run("r1", "make", state, step()));
  }

  private Optional<Step> step() {
    return Optional.ofNullable(words.get("step")).map(step -> step(step.split("/")));
  }

  private Step step(String[] nameAndState) {
    return new Step(
        nameAndState[0],
        nameAndState.length == 1 ? "running" : nameAndState[1],
        Integer.parseInt(words.getOrDefault("attempt", "1")),
        words.get("for"),
        words.containsKey("wake") ? WAKE : null,
        SINCE,
        error("error"),
        words.get("approval"));
  }

  private @Nullable Map<String, Object> error(String word) {
    String code = words.get(word);
    return code == null ? null : Map.of("code", code, "message", "message of " + code);
  }
}
