package dev.slipway.applications;

import dev.slipway.applications.api.ApplicationApi;
import dev.slipway.applications.api.GraphApi;
import dev.slipway.applications.api.PlanApi;
import dev.slipway.applications.api.ResourceApi;
import dev.slipway.applications.api.StateApi;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.store.ApplicationContext;
import dev.slipway.applications.store.ApplicationEvents;
import dev.slipway.applications.store.ApplicationOccupant;
import dev.slipway.applications.store.ApplicationReconciler;
import dev.slipway.applications.store.ApplicationSampler;
import dev.slipway.applications.store.ApplicationSource;
import dev.slipway.applications.store.ApplicationStore;
import dev.slipway.applications.store.ApplicationSweeps;
import dev.slipway.applications.store.DeploymentStore;
import dev.slipway.applications.store.GraphStore;
import dev.slipway.applications.store.LastRuns;
import dev.slipway.applications.store.MissingLooks;
import dev.slipway.applications.store.ResourceCounts;
import dev.slipway.applications.store.ResourceObserver;
import dev.slipway.applications.store.ResourceStore;
import dev.slipway.applications.store.Resources;
import dev.slipway.applications.store.Simulations;
import dev.slipway.applications.store.StateCounts;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.postgres.environments.Occupant;
import dev.slipway.postgres.modules.ModuleHistory;
import dev.slipway.postgres.nodes.NodeSource;
import dev.slipway.postgres.overview.CountedRows;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.runs.RollbackRetries;
import dev.slipway.postgres.runs.RunsKept;
import dev.slipway.web.Route;
import dev.slipway.web.branch.Chore;
import dev.slipway.web.branch.OpenBranch;
import dev.slipway.web.branch.Sampler;
import dev.slipway.web.branch.SubjectRetry;
import dev.slipway.web.branch.Trunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Applications on a trunk. */
final class OpenApplications implements OpenBranch {
  private static final Duration COUNTED_EVERY = Duration.ofDays(1);
  private static final int COUNTED_AT_ONCE = 50;
  private static final Duration PLANNED_EVERY = Duration.ofHours(1);

  private final Trunk trunk;
  private final ApplicationContext context;
  private final ResourceStore resources;
  private final ApplicationReconciler reconciler;

  OpenApplications(Trunk trunk) {
    this.trunk = trunk;
    this.context =
        new ApplicationContext(
            trunk.jdbi(),
            trunk.registry(),
            trunk.config(),
            trunk.box(),
            trunk.notifications(),
            trunk.clock(),
            trunk.ids(),
            trunk.failures()::failed);
    this.resources = new ResourceStore(context, trunk.runs(), trunk.audit());
    this.reconciler = new ApplicationReconciler(context, trunk.runs());
  }

  @Override
  public List<Route> routes() {
    ApplicationStore applications = new ApplicationStore(context, trunk.runs());
    DeploymentStore deployments = new DeploymentStore(context);
    Simulations simulations =
        new Simulations(context, trunk.runs(), new Rendering(trunk.stepTypes()));
    List<Route> all = new ArrayList<>();
    all.addAll(new ApplicationApi(applications, deployments).routes());
    all.addAll(new PlanApi(applications, deployments, simulations).routes());
    all.addAll(new ResourceApi(resources).routes());
    all.addAll(new StateApi(resources, new ModuleHistory(trunk.jdbi())).routes());
    all.addAll(new GraphApi(new GraphStore(context)).routes());
    return all;
  }

  @Override
  public List<Reconciler> reconcilers() {
    return List.of(reconciler, new ResourceObserver(context));
  }

  @Override
  public List<NodeSource> nodes() {
    return List.of(new ApplicationSource(trunk.clock()));
  }

  @Override
  public List<Sampler> samplers() {
    return List.of(new ApplicationSampler(context));
  }

  @Override
  public List<EventNodes> eventNodes() {
    return List.of(new ApplicationEvents(resources::identity));
  }

  @Override
  public List<Occupant> occupants() {
    return List.of(new ApplicationOccupant(context, trunk.runs()));
  }

  @Override
  public Map<String, SubjectRetry> retries() {
    return Map.of(ApplicationRefs.APPLICATION.prefix(), this::retry);
  }

  @Override
  public Map<String, RollbackRetries.InCharge> inCharge() {
    return Map.of(ApplicationRefs.APPLICATION.prefix(), new LastRuns());
  }

  @Override
  public Map<String, RunsKept> keptRuns() {
    return Map.of(ApplicationRefs.APPLICATION.prefix(), new LastRuns());
  }

  @Override
  public List<Sweep> sweeps() {
    return ApplicationSweeps.ALL;
  }

  @Override
  public List<CountedRows> countedRows() {
    return StateCounts.ROWS;
  }

  @Override
  public Map<String, Long> pending() {
    return trunk.jdbi().withHandle(StateCounts::pending);
  }

  private Optional<UUID> retry(Caller caller, UUID resource, SubjectRetry.Again again) {
    return resources.retry(
        caller,
        resource,
        new Resources.Again(
            Optional.of(again.run()),
            Optional.of(again.carry()),
            switch (again.by()) {
              case STORED -> Resources.Again.By.STORED;
              case LATEST -> Resources.Again.By.LATEST;
            }));
  }

  /** What a replica of version 4 moved last, no turn of this version has counted. */
  @Override
  public List<Chore> chores() {
    ResourceCounts counts = new ResourceCounts(trunk.jdbi());
    return List.of(
        new Chore(
            "resources could not be counted", COUNTED_EVERY, () -> counts.pieces(COUNTED_AT_ONCE)),
        new Chore(
            "looks at resources could not be planned",
            PLANNED_EVERY,
            () -> new MissingLooks(context)));
  }

  @Override
  public void providersChanged() {
    reconciler.wakeAll();
  }
}
