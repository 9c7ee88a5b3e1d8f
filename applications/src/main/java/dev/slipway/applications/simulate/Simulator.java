package dev.slipway.applications.simulate;

import dev.slipway.applications.plan.Binding;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.PlanAnswer;
import dev.slipway.applications.plan.Planned;
import dev.slipway.applications.plan.RecordedIdentity;
import dev.slipway.applications.plan.WantedResource;
import dev.slipway.applications.simulate.Simulation.Approval;
import dev.slipway.applications.simulate.Simulation.Input;
import dev.slipway.applications.simulate.Simulation.RehearsedStep;
import dev.slipway.applications.simulate.Simulation.Verdict;
import dev.slipway.applications.simulate.Simulation.Work;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes simulations of plans. Reads, and changes nothing. */
public final class Simulator {
  private final Offers offers;
  private final Rendering rendering;
  private final SecretBox box;
  private final Place place;
  private final Callees callees;

  /**
   * Where it would happen, and for whom.
   *
   * @param guarded whether every deployment there waits for an approval
   */
  public record Place(
      String environment,
      String environmentType,
      Map<String, @Nullable Object> variables,
      String namespace,
      String team,
      String user,
      Guarded guarded,
      Instant now) {}

  /** Whether deployments wait for an approval of their plan. */
  public enum Guarded {
    YES,
    NO
  }

  public Simulator(Offers offers, Rendering rendering, SecretBox box, Place place) {
    this.offers = offers;
    this.rendering = rendering;
    this.box = box;
    this.place = place;
    this.callees = new Callees(offers.registry(), rendering);
  }

  /** Everything that carrying out the plan would run, in the order of its waves. */
  public Simulation of(Planned planned) {
    Map<NodeRef, Work> byNode = new LinkedHashMap<>();
    for (Planned.Assignment each : planned.assignments()) {
      work(planned, each).ifPresent(w -> byNode.put(each.item().node(), w));
    }
    for (Planned.Removal each : planned.removals()) {
      removal(planned, each).ifPresent(w -> byNode.put(each.item().node(), w));
    }
    List<Work> ordered = new ArrayList<>();
    planned.plan().waves().forEach(wave -> wave.forEach(node -> take(byNode, node, ordered)));
    ordered.addAll(byNode.values());
    return new Simulation(PlanAnswer.of(planned.plan()), ordered, approvals(ordered));
  }

  private static void take(Map<NodeRef, Work> byNode, NodeRef node, List<Work> into) {
    Work work = byNode.remove(node);
    if (work != null) {
      into.add(work);
    }
  }

  private Optional<Work> work(Planned planned, Planned.Assignment each) {
    Change change = each.item().change();
    if (change == Change.NO_OP || each.role() == Planned.Role.SHARES) {
      return Optional.empty();
    }
    KnownResource known = each.known();
    boolean update = (change == Change.UPDATE || change == Change.UNKNOWN) && known != null;
    Operation operation = update ? Operation.UPDATE : Operation.CREATE;
    WantedResource wanted = each.wanted();
    Resolution resolution =
        update && known != null
            ? offers.with(known, operation)
            : offers.create(wanted.type(), wanted.tags());
    Subject subject =
        new Subject(wanted.name(), wanted.type(), wanted.resourceClass(), wanted.identity(), known);
    return resolution instanceof Resolution.Found(var definition, var _)
        ? Optional.of(rehearse(planned, subject, operation, definition, params(planned, wanted)))
        : Optional.empty();
  }

  private Optional<Work> removal(Planned planned, Planned.Removal each) {
    KnownResource known = each.known();
    if (each.kind() != Planned.Removal.Kind.DELETE
        || !(offers.with(known, Operation.DELETE)
            instanceof Resolution.Found(var definition, var _))) {
      return Optional.empty();
    }
    Subject subject =
        new Subject(known.name(), known.type(), known.resourceClass(), known.identity(), known);
    Map<String, @Nullable Object> params =
        known.appliedParams() == null ? Map.of() : known.appliedParams();
    return Optional.of(rehearse(planned, subject, Operation.DELETE, definition, params));
  }

  record Subject(
      String name,
      String type,
      String resourceClass,
      String identity,
      @Nullable KnownResource known) {}

  /** Params with outputs in place where they are there and will stay. */
  private Map<String, @Nullable Object> params(Planned planned, WantedResource wanted) {
    return Binding.bind(
            wanted.paramsOrEmpty(), Binding.Typing.KEPT, box, name -> answer(planned, name))
        .map();
  }

  private static Binding.Answer answer(Planned planned, String name) {
    for (Planned.Assignment each : planned.assignments()) {
      KnownResource known = each.known();
      if (each.wanted().name().equals(name)
          && known != null
          && known.active()
          && each.item().change() == Change.NO_OP) {
        return new Binding.Answer.Ready(known.id().toString(), known.outputs());
      }
    }
    return new Binding.Answer.Ready(
        "<resources." + name + ".id>", new Unknown("resources." + name));
  }

  private Work rehearse(
      Planned planned,
      Subject subject,
      Operation operation,
      Resolution.Definition definition,
      Map<String, @Nullable Object> params) {
    KnownResource known = subject.known();
    Map<String, @Nullable Object> outputs =
        operation == Operation.CREATE || known == null ? Map.of() : Masking.byName(known.outputs());
    Map<String, Object> context = context(planned, subject, operation, definition);
    Scope start =
        Scope.forBinding(context, outputs, Masking.byName(definition.configuration()), place.now());
    RecordedIdentity recorded =
        operation == Operation.CREATE || known == null
            ? RecordedIdentity.NONE
            : new RecordedIdentity(Masking.byName(known.identifying(definition.workflow())));
    Inputs inputs =
        new Inputs(
            definition.workflow(),
            recorded.without(Masking.byName(params)),
            recorded.over(injected(planned, subject, operation)),
            outputs);
    List<Input> bound = inputs.bind(start);
    Rehearsal rehearsal =
        new Rehearsal(
            rendering,
            definition.workflow(),
            callees,
            new Callees.Caller(
                definition.provider(), 1, start.withParameters(Inputs.values(bound))));
    List<RehearsedStep> steps = rehearsal.steps();
    return new Work(
        subject.name(),
        subject.type(),
        operation.text(),
        definition.provider(),
        definition.providerVersion(),
        definition.workflow().name(),
        bound.stream().filter(i -> inputs.worthTelling(i)).toList(),
        steps,
        rehearsal.outputs());
  }

  private Map<String, Object> injected(Planned planned, Subject subject, Operation operation) {
    String app = planned.plan().application();
    KnownResource known = subject.known();
    Map<String, Object> injected = new LinkedHashMap<>();
    injected.put("app_name", app);
    injected.put("resource_name", subject.name());
    injected.put("resource_type", subject.type());
    injected.put("resource_class", subject.resourceClass());
    injected.put(
        "resource_id",
        known == null ? "<resources." + subject.name() + ".id>" : known.id().toString());
    injected.put("environment", place.environment());
    injected.put("team_id", place.team());
    injected.put("namespace", place.namespace());
    injected.put("bucket_name", app + "-" + subject.name());
    injected.put("operation", operation.text());
    return injected;
  }

  private Map<String, Object> context(
      Planned planned, Subject subject, Operation operation, Resolution.Definition definition) {
    KnownResource known = subject.known();
    Map<String, Object> context = new LinkedHashMap<>();
    context.put("app", planned.plan().application());
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("name", place.environment());
    environment.put("type", place.environmentType());
    environment.put("variables", Masking.byName(place.variables()));
    context.put("environment", environment);
    Map<String, Object> resource = new LinkedHashMap<>();
    resource.put("name", subject.name());
    resource.put("type", subject.type());
    resource.put("class", subject.resourceClass());
    resource.put("identity", subject.identity());
    context.put("resource", resource);
    context.put("team", place.team());
    context.put("user", place.user());
    context.put("run", "<run>");
    context.put("provider", definition.provider());
    if (operation != Operation.CREATE && known != null) {
      Map<String, @Nullable Object> previous = new LinkedHashMap<>();
      previous.put(
          "params",
          known.appliedParams() == null ? Map.of() : Masking.byName(known.appliedParams()));
      previous.put("outputs", Masking.byName(known.outputs()));
      context.put("previous", previous);
    }
    return context;
  }

  private List<Approval> approvals(List<Work> all) {
    List<Approval> approvals = new ArrayList<>();
    if (place.guarded() == Guarded.YES && !all.isEmpty()) {
      approvals.add(
          new Approval(
              null,
              null,
              "every deployment into '" + place.environment() + "' is approved first",
              Verdict.YES));
    }
    all.forEach(work -> asked(work.resource(), "", Verdict.YES, work.steps(), approvals));
    return approvals;
  }

  /** What the steps ask, also those of workflows that they call. */
  private static void asked(
      String resource,
      String within,
      Verdict outer,
      List<RehearsedStep> steps,
      List<Approval> into) {
    for (RehearsedStep step : steps) {
      String name = within + step.name();
      Verdict runs = outer == Verdict.YES ? step.runs() : outer;
      boolean asks = step.type().equals("approval") || manual(step);
      if (asks && step.runs() != Verdict.NO) {
        Object message = step.config().get("message");
        String why = message == null ? "the workflow asks" : String.valueOf(message);
        into.add(new Approval(resource, name, why, runs));
      }
      if (step.calls() != null) {
        asked(resource, name + "/", runs, step.calls().steps(), into);
      }
    }
  }

  private static boolean manual(RehearsedStep step) {
    return StepForecast.ASKS_FIRST.equals(step.why());
  }
}
