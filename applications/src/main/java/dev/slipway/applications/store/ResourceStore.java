package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.Planner;
import dev.slipway.applications.progress.Situation;
import dev.slipway.applications.score.Score;
import dev.slipway.applications.store.Resources.Again;
import dev.slipway.applications.store.Resources.Filter;
import dev.slipway.applications.store.Resources.HealthChange;
import dev.slipway.applications.store.Resources.NewResource;
import dev.slipway.applications.store.Resources.Reveal;
import dev.slipway.applications.store.Resources.Transition;
import dev.slipway.applications.store.Resources.View;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Page;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.environments.EnvironmentAccess;
import dev.slipway.postgres.environments.EnvironmentRow;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.health.NodeHealth;
import dev.slipway.postgres.runs.RunInsert;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Resources in PostgreSQL. */
public final class ResourceStore {
  private static final int CHANGES = 1000;

  private final ApplicationContext context;
  private final RunStore runs;
  private final AuditLog audit;
  private final Deploying deploying;
  private final ResourceViews views;
  private final MetadataCache metadata = new MetadataCache();
  private final ResourceLists lists;

  /** In this context. */
  public ResourceStore(ApplicationContext context, RunStore runs, AuditLog audit) {
    this.context = context;
    this.runs = runs;
    this.audit = audit;
    this.views = new ResourceViews(context.clock());
    this.lists = new ResourceLists(views);
    this.deploying = new Deploying(context, runs);
  }

  /**
   * Adds a resource to an application, which is made if it is not there, as a new revision of its
   * document: all that holds for documents holds here.
   */
  public Applications.Accepted create(Caller caller, NewResource resource) {
    return deploying.deploy(caller, h -> new Addition(context, h, caller).of(resource));
  }

  /** One page, by environment and identity. */
  public Page<View> list(Caller caller, Filter filter, Page.Ask page) {
    return context.read(h -> lists.page(h, caller, filter, page));
  }

  /** One resource. */
  public View show(Caller caller, UUID id) {
    return context.read(h -> views.of(h, new UUID[] {seen(h, caller, id).id()}).getFirst());
  }

  /** Its outputs. */
  public Map<String, Object> outputs(Caller caller, UUID id, Reveal reveal) {
    KnownResource resource = context.read(h -> seen(h, caller, id));
    if (reveal == Reveal.MASKED) {
      return Values.map(Values.masked(resource.outputs()));
    }
    Visibility.changes(caller, resource.team(), "the resource '" + resource.name() + "'");
    audit.append(
        new AuditLog.Entry(
            0,
            context.now(),
            caller.user(),
            "reveal-outputs",
            "resource:" + resource.identity(),
            resource.team(),
            "ok",
            Map.of("resourceId", id.toString())));
    return Values.map(context.box().openLeaves(resource.outputs()));
  }

  /** Its history, oldest first, all incarnations. */
  public List<Transition> transitions(Caller caller, UUID id) {
    return context.read(
        h ->
            h.createQuery(
                    "SELECT incarnation, from_state, to_state, actor, reason, run_id, epoch, at"
                        + " FROM resource_transitions WHERE resource_id = ? ORDER BY id")
                .bind(0, seen(h, caller, id).id())
                .map(
                    (rs, _) ->
                        new Transition(
                            rs.getInt("incarnation"),
                            rs.getString("from_state"),
                            rs.getString("to_state"),
                            rs.getString("actor"),
                            rs.getString("reason"),
                            rs.getObject("run_id", UUID.class),
                            rs.getObject("epoch", Long.class),
                            Columns.time(rs, "at")))
                .list());
  }

  /** Of a resource that is still recorded, also when it is gone. */
  public Optional<String> identity(UUID id) {
    return context.read(
        h ->
            h.createQuery("SELECT identity FROM resources WHERE id = :id")
                .bind("id", id)
                .mapTo(String.class)
                .findOne());
  }

  /** The newest changes of its health, newest first. */
  public List<HealthChange> health(Caller caller, UUID id) {
    return context
        .read(h -> NodeHealth.history(h, seen(h, caller, id).health().node(), CHANGES))
        .stream()
        .map(p -> new HealthChange(p.at(), p.health().text(), p.revision(), p.message()))
        .toList();
  }

  /** Tries again what failed. The new run's id; empty while it waits for something else. */
  public Optional<UUID> retry(Caller caller, UUID id, Again again) {
    List<UUID> cancels = new ArrayList<>();
    Optional<UUID> run =
        context.transaction(
            h -> {
              KnownResource before = changeable(h, caller, id);
              boolean retryable =
                  before.state() == ResourceState.FAILED
                      || before.state() == ResourceState.DEGRADED;
              if (!retryable || before.busy()) {
                throw RefusedException.conflict(
                    "invalid-transition",
                    "the resource '" + before.name() + "' is " + before.state().text(),
                    "Only what failed can be tried again.");
              }
              if (again.run().isPresent() && !again.run().get().equals(before.run())) {
                throw RefusedException.conflict(
                    "not-the-last-run",
                    "run " + again.run().get() + " is not the last one of '" + before.name() + "'",
                    "Retry the last one: " + before.run() + ".");
              }
              new Guard(context, h).refuseUnapproved(before, again);
              h.execute(
                  "UPDATE resources SET attempted_hash = NULL, reason = NULL WHERE id = ?", id);
              cancels.addAll(advance(h, before.owner()));
              KnownResource after = find(h, id);
              Retried.takeOver(h, context.box(), before, after, again);
              return after.busy() ? Optional.ofNullable(after.run()) : Optional.empty();
            });
    Advance.stop(runs, context, cancels);
    return run;
  }

  /** Moves the owner of a resource on, inside the transaction. */
  private List<UUID> advance(Handle handle, UUID owner) throws SQLException {
    ApplicationRow application = ApplicationRow.hold(handle, owner).orElseThrow();
    EnvironmentRow environment =
        EnvironmentRow.find(handle, application.environment()).orElseThrow();
    Advance.Result result = new Advance(context).request(handle, application, environment);
    EventLog.append(handle, result.events());
    return result.cancels();
  }

  /**
   * Runs the provider's read workflow, which changes nothing real. If what it finds differs from
   * the resource's outputs, that is drift, and the resource is degraded until a look finds none.
   * The run's id.
   */
  public UUID refresh(Caller caller, UUID id) {
    return context.transaction(
        h -> {
          KnownResource resource = changeable(h, caller, id);
          ApplicationRow owner = ApplicationRow.hold(h, resource.owner()).orElseThrow();
          Resolution resolution =
              context.offers(owner.environment()).with(resource, Operation.READ);
          if (!(resolution instanceof Resolution.Found(var definition, _))) {
            throw RefusedException.conflict(
                "operation-not-supported",
                "the provider of '" + resource.name() + "' has no read workflow",
                null);
          }
          if (resource.appliedParams() == null) {
            throw RefusedException.conflict(
                "invalid-transition",
                "the resource '" + resource.name() + "' was never there",
                null);
          }
          LookSituations situations = new LookSituations(context, metadata, h, List.of(resource));
          Situation situation = situations.of(resource, owner);
          NewRun run =
              new ReadRuns(context)
                  .ofCaller(situation, situations.look(situation, resource, definition), caller);
          List<Event> events = RunInsert.insert(h, context.box(), List.of(run));
          EventLog.append(h, events);
          return run.id();
        });
  }

  /**
   * Deprovisions a resource that no application uses any more (a retained one), or takes one out of
   * its application's spec.
   */
  public View delete(Caller caller, UUID id, Applications.Teardown teardown) {
    KnownResource resource =
        context.read(
            h -> {
              KnownResource found = seen(h, caller, id);
              permit(h, caller, found);
              refuseDependents(h, found);
              return found;
            });
    if (!teardown.confirm().equals(Optional.of(resource.name()))) {
      throw RefusedException.conflict(
          "confirm-required",
          "'" + resource.name() + "' would be deleted",
          "Confirm with its name: confirm=" + resource.name());
    }
    if (resource.users().isEmpty()) {
      deleteUnused(caller, id, teardown);
    } else {
      takeOut(caller, resource, teardown);
    }
    return show(caller, id);
  }

  private static void refuseDependents(Handle handle, KnownResource resource) {
    List<String> dependents =
        handle
            .createQuery(
                "SELECT DISTINCT r.name FROM resource_dependencies d"
                    + " JOIN resources r ON r.id = d.resource_id"
                    + " WHERE d.depends_on = ? AND d.wanted AND r.state <> 'deleted' AND r.wanted"
                    + " ORDER BY 1")
            .bind(0, resource.id())
            .mapTo(String.class)
            .list();
    if (!dependents.isEmpty()) {
      throw new RefusedException(
          new Refusal.Conflict(
              "has-dependents",
              "'" + resource.name() + "' is needed by " + String.join(", ", dependents),
              "Remove those first, or their references to it.",
              dependents));
    }
  }

  /** A retained one that no application uses. */
  private void deleteUnused(Caller caller, UUID id, Applications.Teardown teardown) {
    List<UUID> cancels =
        context.transaction(
            h -> {
              KnownResource resource = changeable(h, caller, id);
              new Guard(context, h).refuseUnplanned(resource);
              boolean orphan = teardown.leftovers() == Applications.Teardown.Leftovers.ORPHAN;
              h.execute(
                  "UPDATE resources SET wanted = false, detached = false, attempted_hash = NULL,"
                      + " reason = NULL, deletion_policy = ?, version = version + 1 WHERE id = ?",
                  orphan ? "orphan" : "delete",
                  id);
              return advance(h, resource.owner());
            });
    Advance.stop(runs, context, cancels);
  }

  /** One that an application asks for: the same document without it, as a new revision. */
  private void takeOut(Caller caller, KnownResource resource, Applications.Teardown teardown) {
    DeployCommand command =
        context.read(
            h -> {
              ApplicationRow owner =
                  h.inTransaction(t -> ApplicationRow.hold(t, resource.owner()).orElseThrow());
              Map<String, Object> spec =
                  new LinkedHashMap<>(
                      Specs.sealed(h, owner.id(), owner.revision()).orElse(Map.of()));
              Map<String, Object> resources =
                  new LinkedHashMap<>(Values.map(spec.getOrDefault("resources", Map.of())));
              resources.remove(resource.name());
              spec.put("resources", resources);
              Score score = Specs.open(context, "revision-" + owner.revision(), spec);
              boolean orphan = teardown.leftovers() == Applications.Teardown.Leftovers.ORPHAN;
              return new DeployCommand(
                  score,
                  List.of(),
                  owner.environment(),
                  Optional.of(owner.team()),
                  Optional.empty(),
                  new DeployCommand.Choices(
                      Set.of(), orphan ? Set.of(Planner.Question.ALL) : Set.of()),
                  Optional.empty(),
                  DeployCommand.Kind.DEPLOY);
            });
    deploying.deploy(caller, command);
  }

  private static KnownResource find(Handle handle, UUID id) throws SQLException {
    return KnownResources.load(handle.getConnection(), new UUID[] {id}).resources().stream()
        .findFirst()
        .orElseThrow(() -> ApplicationContext.notFound("resource", id.toString()));
  }

  private static KnownResource seen(Handle handle, Caller caller, UUID id) throws SQLException {
    boolean visible =
        Visibility.bind(
                    handle
                        .createQuery(
                            "SELECT count(*) FROM resources r WHERE r.id = :id AND "
                                + Visibility.OF_RESOURCE)
                        .bind("id", id),
                    caller)
                .mapTo(Long.class)
                .one()
            > 0;
    if (!visible) {
      throw ApplicationContext.notFound("resource", id.toString());
    }
    return find(handle, id);
  }

  /** A caller may have heard of the end of a run before a turn has applied its report. */
  private KnownResource changeable(Handle handle, Caller caller, UUID id) throws SQLException {
    KnownResource resource = seen(handle, caller, id);
    permit(handle, caller, resource);
    ApplicationRow.hold(handle, resource.owner());
    handle.execute("SELECT 1 FROM resources WHERE id = ? FOR NO KEY UPDATE", id);
    new Reports(context, handle, resource.owner()).apply(List.of(id));
    return find(handle, id);
  }

  private static void permit(Handle handle, Caller caller, KnownResource resource) {
    Visibility.changes(caller, resource.team(), "the resource '" + resource.name() + "'");
    handle
        .createQuery("SELECT environment FROM resources WHERE id = ?")
        .bind(0, resource.id())
        .mapTo(String.class)
        .findOne()
        .flatMap(name -> EnvironmentRow.find(handle, name))
        .ifPresent(environment -> EnvironmentAccess.enter(caller, environment));
  }

  /** The same in the usual way. */
  public Optional<UUID> retry(Caller caller, UUID id) {
    return retry(caller, id, Again.USUAL);
  }
}
