package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Facts.Needed;
import dev.slipway.applications.explain.Facts.Run;
import dev.slipway.applications.explain.Facts.Step;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Verdict;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
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
 * further words: {@code missing=net/failed}, {@code dependents=api}, {@code unwanted}, {@code
 * seen=Missing}, {@code rule=read}, {@code gate=UnknownGrace}, and for the step {@code attempt=2},
 * {@code for=job}, {@code wake}, {@code approval=ap1}.
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
        State.parse(ResourceState.class, parts[1]),
        SINCE,
        words.error("reason"),
        words.missing(),
        words.list("dependents"),
        words.run(),
        !words.words.containsKey("unwanted"),
        Optional.ofNullable(words.words.get("seen")).map(seen -> words.seen(name, seen)),
        Optional.ofNullable(words.words.get("gate"))
            .map(code -> words.gate(name, code, words.words.get("seen"))));
  }

  private Observation seen(String name, String health) {
    return Observation.first(
        new Sample(
            node(name),
            Health.parse(health).orElseThrow(),
            SINCE,
            Optional.of("r1"),
            "1",
            List.of(),
            words.getOrDefault("saying", ""),
            words.getOrDefault("rule", "read")));
  }

  /** {@code gate=UnknownGrace}, or {@code gate=!TimedOut} when it gave up. */
  private Gated gate(String name, String text, @Nullable String seen) {
    boolean failed = text.startsWith("!");
    GateReason reason =
        new GateReason(
            Arrays.stream(GateReason.Code.values())
                .filter(code -> code.text().equals(text.replace("!", "")))
                .findFirst()
                .orElseThrow(),
            node(name),
            Optional.ofNullable(seen).flatMap(Health::parse),
            words.getOrDefault("detail", "detail"),
            List.of());
    return new Gated(
        failed ? new Verdict.Fails(reason) : new Verdict.Waits(reason, WAKE),
        Optional.of(SINCE),
        Optional.ofNullable(seen).map(health -> seen(name, health)));
  }

  private static NodeRef node(String name) {
    return new NodeRef("resource", "shop:" + name, "default");
  }

  private List<String> list(String word) {
    return Arrays.stream(words.getOrDefault(word, "").split(","))
        .filter(part -> !part.isEmpty())
        .toList();
  }

  /** {@code missing=net/active/UnknownGrace/Unknown}: with its gate, and what was seen. */
  private Map<String, Needed> missing() {
    Map<String, Needed> missing = new LinkedHashMap<>();
    for (String entry : list("missing")) {
      String[] parts = entry.split("/");
      Optional<Gated> gate =
          parts.length < 3
              ? Optional.empty()
              : Optional.of(gate(parts[0], parts[2], parts.length < 4 ? null : parts[3]));
      missing.put(parts[0], new Needed(State.parse(ResourceState.class, parts[1]), gate));
    }
    return missing;
  }

  private Optional<Run> run() {
    return Optional.ofNullable(words.get("run"))
        .map(state -> new Run("r1", "make", State.parse(RunState.class, state), step()));
  }

  private Optional<Step> step() {
    return Optional.ofNullable(words.get("step")).map(step -> step(step.split("/")));
  }

  private Step step(String[] nameAndState) {
    return new Step(
        nameAndState[0],
        State.parse(StepState.class, nameAndState.length == 1 ? "running" : nameAndState[1]),
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
