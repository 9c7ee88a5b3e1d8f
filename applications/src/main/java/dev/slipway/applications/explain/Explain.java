package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Explanation.ClosedGate;
import dev.slipway.applications.explain.Explanation.Entry;
import dev.slipway.applications.explain.Explanation.Problem;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says why something is not as it should be and what to type next. A pure function of what is
 * recorded.
 */
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

  /** A deployment that waits for an approval. */
  public record Gate(String approval, String message, Instant since, Instant expires) {}

  /**
   * A resource.
   *
   * @param missing what it depends on that is not ready, by name
   * @param dependents what still depends on it, when it is to be deleted
   * @param observed what looks have found of it
   * @param gate its own gate, while that is not open
   */
  public record Facts(
      String name,
      String id,
      String identity,
      String state,
      Instant since,
      @Nullable Map<String, Object> reason,
      Map<String, Needed> missing,
      List<String> dependents,
      Optional<Run> run,
      boolean wanted,
      Optional<Observation> observed,
      Optional<Gated> gate) {

    /** The same with its run. */
    public Facts with(Optional<Run> found) {
      return new Facts(
          name,
          id,
          identity,
          state,
          since,
          reason,
          missing,
          dependents,
          found,
          wanted,
          observed,
          gate);
    }

    private boolean active() {
      return state.equals(ResourceState.ACTIVE.text());
    }

    /** What a look found that is not as it should be. */
    private Optional<Observation> unwell() {
      return observed.filter(o -> o.sample().health() != Health.HEALTHY);
    }
  }

  /** A resource that another one depends on. */
  public record Needed(String state, Optional<Gated> gate) {}

  /**
   * A gate that is not open.
   *
   * @param since when it began to wait; empty: it was not judged yet
   * @param observed what looks have found of its resource
   */
  public record Gated(Verdict verdict, Optional<Instant> since, Optional<Observation> observed) {
    private GateReason reason() {
      return GateText.reason(verdict).orElseThrow();
    }

    private String known() {
      return GateText.known(reason(), observed);
    }

    private boolean failed() {
      return verdict instanceof Verdict.Fails;
    }

    private ClosedGate shown() {
      GateReason reason = reason();
      return new ClosedGate(
          reason.code().text(),
          reason.node().text(),
          reason.health().map(Health::text).orElse(null),
          known(),
          since.orElse(null),
          verdict instanceof Verdict.Waits(GateReason _, Instant until) ? until : null);
    }
  }

  /** What is asked about. */
  public enum Scope {
    /** All resources: what nothing can look at is not in the way. */
    APPLICATION,
    /** One resource, with all details. */
    RESOURCE
  }

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

  /** The rule of samples that a workflow gave. */
  private static final String READ = "read";

  private Explain() {}

  /** Whether there is nothing to say about it. */
  public static boolean settled(Facts facts, Scope scope) {
    if (facts.state().equals(ResourceState.DELETED.text())) {
      return true;
    }
    boolean asAsked =
        facts.active() && facts.wanted() && facts.reason() == null && facts.gate().isEmpty();
    return asAsked
        && switch (scope) {
          case APPLICATION ->
              facts
                  .unwell()
                  .filter(o -> !o.sample().rule().equals(Sample.NOT_OBSERVABLE))
                  .isEmpty();
          case RESOURCE -> facts.observed().isPresent() && facts.unwell().isEmpty();
        };
  }

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

  /** Causes first: failed, waiting for an approval, running, waiting for another node. */
  private static int rank(Facts facts) {
    if (facts.state().equals("failed")
        || facts.state().equals("degraded")
        || facts.gate().filter(Gated::failed).isPresent()) {
      return 0;
    }
    boolean waits =
        facts.run().flatMap(Run::step).filter(s -> s.state().equals("waiting")).isPresent();
    if (waits) {
      return 1;
    }
    boolean goesOn = facts.run().isPresent() || facts.gate().isPresent() || facts.active();
    return goesOn && facts.missing().isEmpty() ? 2 : 3;
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
        closedGate(facts),
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
    return problem == null ? health(facts) : problem.message();
  }

  private static String health(Facts facts) {
    if (facts.gate().isPresent()) {
      Gated gate = facts.gate().get();
      return (gate.failed()
              ? "what needs it does not begin: "
              : "what needs it begins when a look finds it Healthy: ")
          + gate.known();
    }
    if (!facts.active()) {
      return "is " + facts.state();
    }
    return facts.unwell().map(GateText::observed).orElse("not looked at yet");
  }

  /** Its own gate, or the first of what it waits for. */
  private static @Nullable ClosedGate closedGate(Facts facts) {
    return Stream.concat(
            facts.gate().stream(),
            facts.missing().values().stream().map(Needed::gate).flatMap(Optional::stream))
        .findFirst()
        .map(Gated::shown)
        .orElse(null);
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
    facts.missing().forEach((name, needed) -> blockers.add(name + " (" + blocker(needed) + ")"));
    if (!facts.wanted()) {
      blockers.addAll(facts.dependents());
    }
    open(facts)
        .flatMap(Run::step)
        .map(Step::approval)
        .ifPresent(approval -> blockers.add("approval " + approval));
    return blockers;
  }

  private static String blocker(Needed needed) {
    return needed.gate().map(gate -> needed.state() + ", " + gate.known()).orElse(needed.state());
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
        message(facts, error),
        error.get("hint") instanceof String hint ? hint : null,
        step.map(Step::name).orElse(null));
  }

  /** What is recorded against it, with since when looks find it so. */
  private static String message(Facts facts, Map<String, Object> error) {
    String recorded = String.valueOf(error.get("message"));
    return facts.reason() == null
        ? recorded
        : facts
            .unwell()
            .filter(o -> o.sample().rule().equals(READ))
            .map(o -> o.sample().health().text() + " since " + o.since() + ": " + recorded)
            .orElse(recorded);
  }

  private static @Nullable String command(Subject subject, Facts facts) {
    Optional<String> approval = open(facts).flatMap(Run::step).map(Step::approval);
    if (approval.isPresent()) {
      return "slipway approve " + approval.get();
    }
    if (facts.gate().isEmpty()
        && (facts.state().equals("failed") || facts.state().equals("degraded"))) {
      return retry(subject, facts);
    }
    return looks(facts) ? "slipway resource refresh " + facts.id() : null;
  }

  /** Whether another look may find something else; the first one of an attempt is under way. */
  private static boolean looks(Facts facts) {
    return facts.gate().isPresent()
        ? facts.gate().get().reason().code() != GateReason.Code.STALE_HEALTH
        : facts.active()
            && facts.wanted()
            && facts.reason() == null
            && facts.missing().isEmpty()
            && facts
                .unwell()
                .filter(o -> !o.sample().rule().equals(Sample.NOT_OBSERVABLE))
                .isPresent();
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
