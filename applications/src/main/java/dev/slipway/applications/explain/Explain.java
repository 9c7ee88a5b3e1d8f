package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Explanation.Entry;
import dev.slipway.applications.lifecycle.DeploymentStatus;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Says why something is not as it should be and what to type next. A pure function of what is
 * recorded.
 */
public final class Explain {

  /** What is asked about. */
  public enum Scope {
    /** All resources: what nothing can look at is not in the way. */
    APPLICATION,
    /** One resource, with all details. */
    RESOURCE
  }

  /** How near a resource is to the cause; the first is explained first. */
  private enum Rank {
    BROKEN,
    /** A step of its run waits, as a rule for an approval. */
    STEP_WAITS,
    GOES_ON,
    WAITS_FOR_ANOTHER
  }

  private Explain() {}

  /** Whether there is nothing to say about it. */
  public static boolean settled(Facts facts, Scope scope) {
    if (facts.state() == ResourceState.DELETED) {
      return true;
    }
    boolean asAsked =
        facts.active() && facts.wanted() && facts.reason() == null && facts.gate().isEmpty();
    return asAsked
        && switch (scope) {
          case APPLICATION -> facts.seenUnwell().isEmpty();
          case RESOURCE -> facts.observed().isPresent() && facts.unwell().isEmpty();
        };
  }

  /**
   * What is wrong with a resource itself, whatever it waits for and whatever its run does; empty if
   * nothing is.
   */
  public static Optional<Why> fault(Facts facts) {
    return ResourceEntry.fault(facts)
        .map(text -> new Why(text, since(facts), NextCommand.of(facts)));
  }

  private static Optional<Instant> since(Facts facts) {
    return facts.reason() == null
        ? facts.gate().flatMap(Gated::since).or(() -> facts.unwell().map(Observation::since))
        : Optional.of(facts.since());
  }

  /** The answer. */
  public static Explanation of(Subject subject, List<Facts> resources) {
    List<Entry> entries = new ArrayList<>();
    subject.approval().ifPresent(approval -> entries.add(waiting(subject, approval)));
    resources.stream()
        .sorted(Comparator.comparing(Explain::rank).thenComparing(Facts::name))
        .map(facts -> ResourceEntry.of(subject.refs(), facts))
        .forEach(entries::add);
    if (entries.isEmpty() && !subject.bound() && subject.state() == ResourceState.FAILED) {
      entries.add(unbound(subject));
    }
    return new Explanation(
        subject.refs().application(),
        subject.application(),
        subject.environment(),
        subject.state().text(),
        summary(subject, entries),
        entries,
        commands(subject, entries));
  }

  private static List<String> commands(Subject subject, List<Entry> entries) {
    LinkedHashSet<String> commands = new LinkedHashSet<>();
    entries.stream().map(Entry::command).filter(Objects::nonNull).forEach(commands::add);
    if (commands.isEmpty() && !entries.isEmpty()) {
      commands.add("slipway wait " + subject.argument());
    }
    return List.copyOf(commands);
  }

  private static String summary(Subject subject, List<Entry> entries) {
    String is = subject.application() + " is " + subject.state().text();
    if (entries.isEmpty()) {
      return is + "; nothing is in its way";
    }
    Entry first = entries.getFirst();
    String more = entries.size() == 1 ? "" : " (and " + (entries.size() - 1) + " more)";
    return is + ": " + first.subject() + ": " + first.why() + more;
  }

  private static Rank rank(Facts facts) {
    if (facts.broken() || facts.gate().filter(Gated::failed).isPresent()) {
      return Rank.BROKEN;
    }
    if (facts.step().filter(step -> step.state() == StepState.WAITING).isPresent()) {
      return Rank.STEP_WAITS;
    }
    boolean goesOn = facts.run().isPresent() || facts.gate().isPresent() || facts.active();
    return goesOn && facts.missing().isEmpty() ? Rank.GOES_ON : Rank.WAITS_FOR_ANOTHER;
  }

  private static Entry waiting(Subject subject, Subject.PendingApproval approval) {
    return new Entry(
        subject.refs().application(),
        "deployment",
        null,
        DeploymentStatus.WAITING.text(),
        approval.since(),
        "waits for an approval: " + approval.message(),
        List.of("approval " + approval.id()),
        null,
        null,
        approval.expires(),
        null,
        "slipway approve " + approval.id());
  }

  private static Entry unbound(Subject subject) {
    return new Entry(
        subject.refs().application(),
        "workload",
        null,
        ResourceState.FAILED.text(),
        null,
        "its containers refer to something that no resource offers",
        List.of(),
        null,
        null,
        null,
        null,
        "slipway graph " + subject.argument());
  }
}
