package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Explanation.Entry;
import dev.slipway.applications.explain.Explanation.Problem;
import dev.slipway.applications.plan.ApplicationRefs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says why something is not active and what to type next. A pure function of what is recorded. */
public final class Explain {

  /** An application as far as it matters here. */
  public record Subject(
      String application, String environment, String state, Optional<Gate> gate, boolean bound) {
    ApplicationRefs refs() {
      return new ApplicationRefs(application, environment);
    }

    /** How commands call it. */
    String argument() {
      return environment.equals("default")
          ? application
          : application + " --environment " + environment;
    }
  }

  /** A deployment that waits for somebody's approval. */
  public record Gate(String approval, String message, Instant since, Instant expires) {}

  /**
   * A resource that is not active.
   *
   * @param missing what it depends on that is not ready, with the state of each
   * @param dependents what still depends on it, when it is to be deleted
   */
  public record Facts(
      String name,
      String id,
      String identity,
      String state,
      Instant since,
      @Nullable Map<String, Object> reason,
      Map<String, String> missing,
      List<String> dependents,
      Optional<Run> run,
      boolean wanted) {}

  /** The run in charge and the step that counts: running, waiting or failed. */
  public record Run(String id, String workflow, String state, Optional<Step> step) {}

  /** That step. */
  public record Step(
      String name,
      String state,
      int attempt,
      @Nullable String waitingFor,
      @Nullable Instant wakeAt,
      @Nullable Instant startedAt,
      @Nullable Map<String, Object> error,
      @Nullable String approval) {}

  private Explain() {}

  /** The answer. */
  public static Explanation of(Subject subject, List<Facts> resources) {
    List<Entry> entries = new ArrayList<>();
    subject.gate().ifPresent(gate -> entries.add(gate(subject, gate)));
    resources.stream()
        .sorted(Comparator.comparingInt(Explain::rank).thenComparing(Facts::name))
        .map(facts -> entry(subject, facts))
        .forEach(entries::add);
    if (entries.isEmpty() && !subject.bound() && subject.state().equals("failed")) {
      entries.add(unbound(subject));
    }
    LinkedHashSet<String> commands = new LinkedHashSet<>();
    entries.stream().map(Entry::command).filter(Objects::nonNull).forEach(commands::add);
    if (commands.isEmpty() && !entries.isEmpty()) {
      commands.add("slipway wait " + subject.argument());
    }
    return new Explanation(
        subject.refs().application(),
        subject.application(),
        subject.environment(),
        subject.state(),
        summary(subject, entries),
        entries,
        List.copyOf(commands));
  }

  private static String summary(Subject subject, List<Entry> entries) {
    if (entries.isEmpty()) {
      return subject.application() + " is " + subject.state() + "; nothing is in its way";
    }
    Entry first = entries.getFirst();
    String more = entries.size() == 1 ? "" : " (and " + (entries.size() - 1) + " more)";
    return subject.application()
        + " is "
        + subject.state()
        + ": "
        + first.subject()
        + ": "
        + first.why()
        + more;
  }

  /** Causes first: what failed, what waits for people, what runs, what waits for others. */
  private static int rank(Facts facts) {
    if (facts.state().equals("failed") || facts.state().equals("degraded")) {
      return 0;
    }
    boolean waits =
        facts.run().flatMap(Run::step).filter(s -> s.state().equals("waiting")).isPresent();
    if (waits) {
      return 1;
    }
    return facts.run().isPresent() && facts.missing().isEmpty() ? 2 : 3;
  }

  private static Entry gate(Subject subject, Gate gate) {
    return new Entry(
        subject.refs().application(),
        "deployment",
        null,
        "waiting",
        gate.since(),
        "waits for an approval: " + gate.message(),
        List.of("approval " + gate.approval()),
        null,
        gate.expires(),
        null,
        "slipway approve " + gate.approval());
  }

  private static Entry unbound(Subject subject) {
    return new Entry(
        subject.refs().application(),
        "workload",
        null,
        "failed",
        null,
        "its containers refer to something that no resource offers",
        List.of(),
        null,
        null,
        null,
        "slipway graph " + subject.argument());
  }

  private static Entry entry(Subject subject, Facts facts) {
    Optional<Step> step = facts.run().flatMap(Run::step);
    return new Entry(
        subject.refs().resource(facts.identity()),
        facts.name(),
        facts.identity(),
        facts.state(),
        facts.since(),
        why(facts),
        blockers(facts),
        problem(facts),
        step.map(Step::wakeAt).orElse(null),
        facts.run().map(Run::id).orElse(null),
        command(subject, facts));
  }

  private static String why(Facts facts) {
    Optional<Run> run = open(facts);
    if (run.isPresent()) {
      return running(run.get());
    }
    if (!facts.missing().isEmpty()) {
      return "waits for " + String.join(", ", blockers(facts));
    }
    if (!facts.dependents().isEmpty() && !facts.wanted()) {
      return "cannot be deleted before " + String.join(", ", facts.dependents());
    }
    Problem problem = problem(facts);
    return problem == null ? "is " + facts.state() : problem.message();
  }

  private static String running(Run run) {
    if (run.step().isEmpty()) {
      return run.state().equals("pending")
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

  private static List<String> blockers(Facts facts) {
    List<String> blockers = new ArrayList<>();
    facts.missing().forEach((name, state) -> blockers.add(name + " (" + state + ")"));
    if (!facts.wanted()) {
      blockers.addAll(facts.dependents());
    }
    open(facts)
        .flatMap(Run::step)
        .map(Step::approval)
        .ifPresent(approval -> blockers.add("approval " + approval));
    return blockers;
  }

  private static @Nullable Problem problem(Facts facts) {
    Optional<Step> step = facts.run().flatMap(Run::step).filter(s -> s.error() != null);
    Map<String, Object> error =
        facts.reason() != null ? facts.reason() : step.map(Step::error).orElse(null);
    if (error == null) {
      return null;
    }
    return new Problem(
        String.valueOf(error.get("code")),
        String.valueOf(error.get("message")),
        error.get("hint") instanceof String hint ? hint : null,
        step.map(Step::name).orElse(null));
  }

  private static @Nullable String command(Subject subject, Facts facts) {
    Optional<String> approval = open(facts).flatMap(Run::step).map(Step::approval);
    if (approval.isPresent()) {
      return "slipway approve " + approval.get();
    }
    if (facts.state().equals("failed") || facts.state().equals("degraded")) {
      return retry(subject, facts);
    }
    return null;
  }

  private static String retry(Subject subject, Facts facts) {
    String code = facts.reason() == null ? "" : String.valueOf(facts.reason().get("code"));
    return switch (code) {
      case "NoProvider", "NotSupported", "MissingProgram" -> "slipway provider list";
      case "Conflict" -> "slipway provider conflicts";
      case "InvalidInput" -> "slipway deploy score.yaml";
      default ->
          facts.run().isPresent() && facts.run().get().state().equals("failed")
              ? "slipway run retry " + facts.run().get().id()
              : "slipway resource retry " + facts.id();
    };
  }

  private static Optional<Run> open(Facts facts) {
    return facts
        .run()
        .filter(
            r ->
                r.state().equals("pending")
                    || r.state().equals("running")
                    || r.state().equals("waiting"));
  }
}
