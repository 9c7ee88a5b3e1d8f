package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Explanation.ClosedGate;
import dev.slipway.applications.explain.Explanation.Entry;
import dev.slipway.applications.explain.Explanation.Problem;
import dev.slipway.applications.explain.Facts.Needed;
import dev.slipway.applications.explain.Facts.Run;
import dev.slipway.applications.explain.Facts.Step;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.lifecycle.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is recorded about a resource, in sentences. */
final class ResourceEntry {
  /** The rule of samples that a workflow gave. */
  private static final String READ = "read";

  private final Facts facts;

  private ResourceEntry(Facts facts) {
    this.facts = facts;
  }

  static Entry of(ApplicationRefs refs, Facts facts) {
    ResourceEntry entry = new ResourceEntry(facts);
    return new Entry(
        refs.resource(facts.identity()),
        facts.name(),
        facts.identity(),
        facts.state().text(),
        facts.since(),
        entry.why(),
        entry.blockers(),
        entry.closedGate(),
        entry.problem(),
        facts.step().map(Step::wakeAt).orElse(null),
        facts.run().map(Run::id).orElse(null),
        NextCommand.of(facts).orElse(null));
  }

  /** What is recorded against it or what looks find, without what it waits for. */
  static Optional<String> fault(Facts facts) {
    ResourceEntry entry = new ResourceEntry(facts);
    boolean found =
        facts.reason() != null
            || facts.gate().isPresent()
            || facts.active() && facts.seenUnwell().isPresent();
    return found ? Optional.of(entry.fault()) : Optional.empty();
  }

  private String why() {
    Optional<Run> run = facts.openRun();
    if (run.isPresent()) {
      return running(run.get());
    }
    if (!facts.missing().isEmpty()) {
      return "waits for " + String.join(", ", blockers());
    }
    if (!facts.dependents().isEmpty() && !facts.wanted()) {
      return "cannot be deleted before " + String.join(", ", facts.dependents());
    }
    return fault();
  }

  private String fault() {
    Problem problem = problem();
    return problem == null ? health() : problem.message();
  }

  private String health() {
    if (facts.gate().isPresent()) {
      Gated gate = facts.gate().get();
      return (gate.failed()
              ? "what needs it does not begin: "
              : "what needs it begins when a look finds it Healthy: ")
          + gate.known();
    }
    if (!facts.active()) {
      return "is " + facts.state().text();
    }
    return facts.unwell().map(GateText::observed).orElse("not looked at yet");
  }

  /** Its own gate, or the first of what it waits for. */
  private @Nullable ClosedGate closedGate() {
    return Stream.concat(
            facts.gate().stream(),
            facts.missing().values().stream().map(Needed::gate).flatMap(Optional::stream))
        .findFirst()
        .map(Gated::shown)
        .orElse(null);
  }

  private static String running(Run run) {
    if (run.step().isEmpty()) {
      return run.state() == RunState.PENDING
          ? "its run of '" + run.workflow() + "' waits to be taken up"
          : "runs '" + run.workflow() + "'";
    }
    Step step = run.step().get();
    String attempt = step.attempt() > 1 ? " (attempt " + step.attempt() + ")" : "";
    if (step.waitingFor() != null) {
      return "step '" + step.name() + "' waits for " + step.waitingFor() + attempt;
    }
    if (step.wakeAt() != null) {
      return "step '" + step.name() + "' failed and is tried again" + attempt;
    }
    return "runs step '" + step.name() + "' of '" + run.workflow() + "'" + attempt;
  }

  private List<String> blockers() {
    List<String> blockers = new ArrayList<>();
    facts.missing().forEach((name, needed) -> blockers.add(name + " (" + blocker(needed) + ")"));
    if (!facts.wanted()) {
      blockers.addAll(facts.dependents());
    }
    facts.approval().ifPresent(approval -> blockers.add("approval " + approval));
    return blockers;
  }

  private static String blocker(Needed needed) {
    String state = needed.state().text();
    return needed.gate().map(gate -> state + ", " + gate.known()).orElse(state);
  }

  private @Nullable Problem problem() {
    Optional<Step> step = facts.step().filter(s -> s.error() != null);
    Map<String, Object> error =
        facts.reason() != null ? facts.reason() : step.map(Step::error).orElse(null);
    if (error == null) {
      return null;
    }
    return new Problem(
        String.valueOf(error.get("code")),
        message(error),
        error.get("hint") instanceof String hint ? hint : null,
        step.map(Step::name).orElse(null));
  }

  /** What is recorded against it, with since when looks find it so. */
  private String message(Map<String, Object> error) {
    String recorded = String.valueOf(error.get("message"));
    return facts.reason() == null
        ? recorded
        : facts
            .unwell()
            .filter(o -> o.sample().rule().equals(READ))
            .map(o -> o.sample().health().text() + " since " + o.since() + ": " + recorded)
            .orElse(recorded);
  }
}
