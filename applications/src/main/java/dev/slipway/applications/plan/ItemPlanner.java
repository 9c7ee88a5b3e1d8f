package dev.slipway.applications.plan;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Planned.Assignment;
import dev.slipway.applications.plan.Planned.Role;
import dev.slipway.applications.score.Sharing;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.plan.FieldChange;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans wanted resources one by one, dependencies first. */
final class ItemPlanner {
  /** Note of a replacement that a changed identifying parameter asks for. */
  private static final String RENAMED = "identity-changed";

  private final Offers offers;
  private final SecretBox box;
  private final Fingerprint fingerprint;
  private final PlanFindings findings;
  private final Planner.Question question;
  private final ParameterFindings parameters;
  private final ApplicationRefs refs;
  private final Map<String, KnownResource> byIdentity;
  private final List<Planned.Obstacle> obstacles = new ArrayList<>();

  ItemPlanner(
      ApplicationRefs refs,
      Offers offers,
      SecretBox box,
      Fingerprint fingerprint,
      PlanFindings findings,
      Planner.Question question,
      Map<String, KnownResource> byIdentity) {
    this.refs = refs;
    this.offers = offers;
    this.box = box;
    this.fingerprint = fingerprint;
    this.findings = findings;
    this.question = question;
    this.parameters = new ParameterFindings(findings, box);
    this.byIdentity = byIdentity;
  }

  /** The params that are asked for, beside those that were asked for before. */
  private enum Params {
    SAME,
    CHANGED
  }

  /** What is to be done, why, and with which fields. */
  private record Verdict(
      Change change,
      @Nullable String note,
      List<FieldChange> fields,
      Map<String, @Nullable Object> params) {
    Verdict(Change change, @Nullable String note) {
      this(change, note, List.of(), Map.of());
    }

    Verdict to(Change other, @Nullable String why) {
      return new Verdict(other, why, fields, params);
    }
  }

  Assignment assign(WantedResource wanted, Map<String, Assignment> earlier) {
    KnownResource known = byIdentity.get(wanted.identity());
    if (question.backups() == AdminConfig.Enforcement.ON) {
      parameters.backups(wanted);
    }
    Role role = role(wanted, known);
    Verdict verdict =
        role == Role.SHARES && known != null
            ? shared(wanted, known)
            : verdict(wanted, known, earlier);
    Plan.Item item = item(wanted, known, verdict).dependingOn(dependencies(wanted, earlier));
    return new Assignment(
        wanted,
        known,
        item,
        role,
        offers.deletionPolicy(wanted, known, question.environmentPolicy()));
  }

  private static List<Plan.Dependency> dependencies(
      WantedResource wanted, Map<String, Assignment> earlier) {
    return wanted.dependsOn().stream()
        .flatMap(name -> Stream.ofNullable(earlier.get(name)))
        .map(needed -> new Plan.Dependency(needed.item().name(), needed.item().node()))
        .sorted(Plan.Dependency.BY_NAME)
        .toList();
  }

  /** Whether another team owns it. A deleted record that is not asked for again owns nothing. */
  private boolean ofAnotherTeam(@Nullable KnownResource known) {
    return known != null
        && !known.team().equals(question.team())
        && (known.state() != ResourceState.DELETED || known.wanted());
  }

  private Role role(WantedResource wanted, @Nullable KnownResource known) {
    if (ofAnotherTeam(known)) {
      return Role.SHARES;
    }
    boolean free =
        known == null
            || known.state() == ResourceState.DELETED
            || known.detached()
            || known.users().isEmpty()
            || known.definedBy().equals(question.application())
            || known.users().equals(List.of(question.application()));
    // The first definition with params counts, also after definitions without any.
    boolean undefined = known != null && known.params().isEmpty() && wanted.params() != null;
    return free || undefined ? Role.DEFINES : Role.SHARES;
  }

  List<Planned.Obstacle> obstacles() {
    return List.copyOf(obstacles);
  }

  private Verdict shared(WantedResource wanted, KnownResource known) {
    if (ofAnotherTeam(known)) {
      foreign(wanted, known);
    } else {
      meansAnother(wanted);
    }
    if (wanted.params() != null && !fingerprint.same(wanted.params(), known.params())) {
      findings.error(
          wanted.path().child("params"),
          "shared-resource-conflict",
          "'" + wanted.identity() + "' is shared and already defined with other params",
          "Leave params out here, or write the same ones as its first definition.");
    }
    return new Verdict(Change.NO_OP, "shared");
  }

  /** Both sides have to agree; what its owner left behind is for its own team alone. */
  private void foreign(WantedResource wanted, KnownResource known) {
    boolean shared =
        known.sharedWith().contains("*") || known.sharedWith().contains(question.team());
    if (known.detached() || known.users().isEmpty()) {
      obstacles.add(
          new Planned.Obstacle(
              "identity-taken",
              "'" + wanted.identity() + "' belongs to another team",
              "Use another id, or another name for the application or the resource.",
              List.of(wanted.name())));
    } else if (!shared) {
      findings.error(
          wanted.path(),
          "shared-resource-conflict",
          "'" + wanted.identity() + "' belongs to another team, which does not share it",
          "Ask its owner for the annotation slipway.dev/shared-with, or use another id.");
    } else if (!wanted.sharedFrom().equals(Optional.of(known.team()))) {
      findings.error(
          wanted.path(),
          "shared-resource-conflict",
          "'"
              + wanted.identity()
              + "' belongs to team '"
              + known.team()
              + "', and the document does not say that it means this one",
          "Add the annotation slipway.dev/shared-from: " + known.team() + ", or use another id.");
    }
  }

  /** A document that means another team's resource does not make one of its own. */
  private void meansAnother(WantedResource wanted) {
    if (wanted.sharedFrom().isPresent()
        && !wanted.sharedFrom().equals(Optional.of(question.team()))) {
      findings.error(
          wanted.path(),
          "shared-resource-conflict",
          "team '"
              + wanted.sharedFrom().get()
              + "' shares no resource '"
              + wanted.identity()
              + "' with team '"
              + question.team()
              + "'",
          "Wait until that team has deployed it, or remove the annotation " + Sharing.FROM + ".");
    }
  }

  private Verdict verdict(
      WantedResource wanted, @Nullable KnownResource known, Map<String, Assignment> earlier) {
    meansAnother(wanted);
    if (known == null || known.state() == ResourceState.DELETED) {
      return create(wanted, null, earlier);
    }
    if (known.state() == ResourceState.DEPROVISIONING || known.deleteFailed()) {
      return create(wanted, "waits-for-deletion", earlier);
    }
    Params params =
        fingerprint.same(wanted.paramsOrEmpty(), known.params()) ? Params.SAME : Params.CHANGED;
    Verdict verdict =
        known.everActive()
            ? standing(wanted, known, params, earlier)
            : unfinished(wanted, known, params, earlier);
    return known.detached() && verdict.change() == Change.NO_OP
        ? new Verdict(Change.NO_OP, "adopted")
        : verdict;
  }

  private Verdict create(
      WantedResource wanted, @Nullable String note, Map<String, Assignment> earlier) {
    Bind bind = bind(wanted, earlier);
    return new Verdict(Change.CREATE, note, differences(null, bind), bind.bound().map());
  }

  /** Asked for before, but never there yet. */
  private Verdict unfinished(
      WantedResource wanted, KnownResource known, Params params, Map<String, Assignment> earlier) {
    if (known.state() == ResourceState.FAILED) {
      Verdict retry = create(wanted, "retry", earlier);
      return known.everStarted() ? identified(wanted, known, retry) : retry;
    }
    if (params == Params.SAME) {
      return new Verdict(Change.NO_OP, "in-progress");
    }
    if (known.work() != KnownResource.Work.STARTED) {
      return create(wanted, null, earlier);
    }
    Bind bind = bind(wanted, earlier);
    return new Verdict(Change.UPDATE, null, differences(known.params(), bind), bind.bound().map());
  }

  /** It was active once. */
  private Verdict standing(
      WantedResource wanted, KnownResource known, Params params, Map<String, Assignment> earlier) {
    Bind bind = bind(wanted, earlier);
    List<FieldChange> fields = differences(known.appliedParams(), bind);
    String hash = bind.bound().complete() ? fingerprint.of(bind.bound().value()) : null;
    if (known.busy()
        && params == Params.SAME
        && (hash == null || hash.equals(known.attemptedHash()))) {
      return new Verdict(Change.NO_OP, "in-progress");
    }
    if (known.state() == ResourceState.FAILED) {
      return new Verdict(Change.UPDATE, "retry", fields, bind.bound().map());
    }
    if (hash != null) {
      return hash.equals(known.appliedHash())
          ? new Verdict(Change.NO_OP, null)
          : new Verdict(Change.UPDATE, null, fields, bind.bound().map());
    }
    if (params == Params.CHANGED) {
      return new Verdict(Change.UPDATE, null, fields, bind.bound().map());
    }
    return bind.changing()
        ? new Verdict(Change.UNKNOWN, null, fields, bind.bound().map())
        : new Verdict(Change.NO_OP, "in-progress");
  }

  /** Bound params; {@code changing}: something that they wait for is changed by this plan. */
  private record Bind(Binding.Bound bound, boolean changing) {}

  private Bind bind(WantedResource wanted, Map<String, Assignment> earlier) {
    Binding.Typing typing =
        wanted.origin() == WantedResource.Origin.IMPLICIT
            ? Binding.Typing.TEXT
            : Binding.Typing.KEPT;
    Binding.Bound bound =
        Binding.bind(wanted.paramsOrEmpty(), typing, box, name -> answer(earlier.get(name)));
    for (String message : bound.missing()) {
      findings.error(wanted.path().child("params"), "unknown-output", message, bound.hint());
    }
    boolean changing =
        bound.pending().stream()
            .map(earlier::get)
            .anyMatch(a -> a != null && a.item().change() != Change.NO_OP);
    return new Bind(bound, changing);
  }

  private static Binding.Answer answer(@Nullable Assignment assignment) {
    if (assignment == null) {
      return new Binding.Answer.Absent();
    }
    KnownResource known = assignment.known();
    return known != null && known.active() && assignment.item().change() == Change.NO_OP
        ? new Binding.Answer.Ready(known.id().toString(), known.outputs())
        : new Binding.Answer.Pending();
  }

  private List<FieldChange> differences(@Nullable Object before, Bind bind) {
    return new Differences(fingerprint).between(before, bind.bound().value());
  }

  /** What a create run began under other identifying values has to go first. */
  private Verdict identified(WantedResource wanted, KnownResource known, Verdict verdict) {
    return offers.create(wanted.type(), wanted.tags())
                instanceof Resolution.Found(var definition, var _)
            && renamed(wanted, known, definition, verdict)
        ? verdict.to(Change.REPLACE, RENAMED)
        : verdict;
  }

  /** Whether the params change what identifies the resource; that needs a confirmation. */
  private boolean renamed(
      WantedResource wanted,
      KnownResource known,
      Resolution.Definition definition,
      Verdict verdict) {
    List<String> changed =
        new RecordedIdentity(known.identifying(definition.workflow()))
            .changed(definition.workflow(), verdict.params());
    if (!changed.isEmpty() && !question.replace().contains(wanted.name())) {
      findings.error(
          wanted.path().child("params").child(changed.getFirst()),
          RecordedIdentity.CODE,
          RecordedIdentity.message(changed),
          RecordedIdentity.hint(wanted.name()));
    }
    return !changed.isEmpty();
  }

  private Plan.Item item(WantedResource wanted, @Nullable KnownResource known, Verdict verdict) {
    return switch (verdict.change()) {
      case CREATE -> created(wanted, verdict);
      case UPDATE -> updated(wanted, known, verdict);
      case REPLACE -> replaced(wanted, known, verdict);
      case DELETE, NO_OP, UNKNOWN -> item(wanted, known, verdict, null);
    };
  }

  private Plan.Item replaced(
      WantedResource wanted, @Nullable KnownResource known, Verdict verdict) {
    if (known != null && !(offers.with(known, Operation.DELETE) instanceof Resolution.Found)) {
      findings.unresolved(
          wanted, Operation.DELETE, offers.with(known, Operation.DELETE), offers.registry());
    }
    return created(wanted, verdict);
  }

  private Plan.Item created(WantedResource wanted, Verdict verdict) {
    Resolution resolution = offers.create(wanted.type(), wanted.tags());
    findings.unresolved(wanted, Operation.CREATE, resolution, offers.registry());
    if (resolution instanceof Resolution.Found(var definition, var _)) {
      parameters.check(wanted, null, Operation.CREATE, definition, verdict.params());
      return item(wanted, null, verdict, definition);
    }
    return item(wanted, null, verdict, null);
  }

  private Plan.Item updated(WantedResource wanted, @Nullable KnownResource known, Verdict verdict) {
    if (known == null) {
      throw new IllegalStateException("an update of nothing: " + wanted.identity());
    }
    switch (offers.with(known, Operation.UPDATE)) {
      case Resolution.Found(var definition, var _)
          when renamed(wanted, known, definition, verdict) -> {
        return replaced(wanted, known, verdict.to(Change.REPLACE, RENAMED));
      }
      case Resolution.Found(var definition, var _) -> {
        parameters.check(wanted, known, Operation.UPDATE, definition, verdict.params());
        return item(wanted, known, verdict, definition);
      }
      case Resolution.NotSupported _ when question.replace().contains(wanted.name()) -> {
        return replaced(wanted, known, verdict.to(Change.REPLACE, null));
      }
      case Resolution.UnknownType why ->
          findings.unresolved(wanted, Operation.UPDATE, why, offers.registry());
      case Resolution.Conflicted why ->
          findings.unresolved(wanted, Operation.UPDATE, why, offers.registry());
      case Resolution.MissingPrograms why ->
          findings.unresolved(wanted, Operation.UPDATE, why, offers.registry());
      case Resolution.Barred why ->
          findings.unresolved(wanted, Operation.UPDATE, why, offers.registry());
      case Resolution.NotSupported why ->
          findings.unresolved(wanted, Operation.UPDATE, why, offers.registry());
    }
    return item(
        wanted,
        known,
        new Verdict(Change.UPDATE, "update-unsupported", verdict.fields(), Map.of()),
        null);
  }

  private Plan.Item item(
      WantedResource wanted,
      @Nullable KnownResource known,
      Verdict verdict,
      Resolution.@Nullable Definition definition) {
    String provider =
        definition != null ? definition.provider() : known == null ? null : known.provider();
    return new Plan.Item(
        wanted.name(),
        wanted.identity(),
        refs.resource(wanted.identity()),
        wanted.type(),
        verdict.change(),
        provider,
        definition == null ? null : definition.workflow().name(),
        definition == null ? null : definition.hash(),
        verdict.fields(),
        List.of(),
        verdict.note());
  }
}
