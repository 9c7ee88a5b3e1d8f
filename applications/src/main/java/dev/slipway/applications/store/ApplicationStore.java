package dev.slipway.applications.store;

import dev.slipway.applications.explain.Explanation;
import dev.slipway.applications.plan.Plan;
import dev.slipway.applications.plan.Planned;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.health.Aggregate;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Page;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applications in PostgreSQL. */
public final class ApplicationStore implements Applications {
  private final ApplicationContext context;
  private final Deploying deploying;
  private final ResourceViews views;

  /** In this context; runs are stopped through the store that holds them. */
  public ApplicationStore(ApplicationContext context, RunStore runs) {
    this.context = context;
    this.deploying = new Deploying(context, runs);
    this.views = new ResourceViews(context.clock());
  }

  @Override
  public Plan plan(Caller caller, DeployRequest request) {
    DeployCommand command = DeployCommand.of(request);
    Prepared prepared = context.read(h -> deploying.look(h, caller, command));
    List<dev.slipway.engine.intake.Diagnostic> fatal =
        prepared.planned().errors().stream()
            .filter(d -> !d.code().equals("operation-not-supported"))
            .toList();
    if (!fatal.isEmpty()) {
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.CONTENT, prepared.planned().errors()));
    }
    Planned planned = prepared.planned();
    Plan plan = planned.plan().with(planned.errors()).with(command.warnings());
    context.read(
        h -> {
          new Records(context, h, caller).plan(plan, prepared.team());
          return plan;
        });
    return plan;
  }

  @Override
  public Map<String, Object> plan(Caller caller, String hash) {
    return context.read(
        h ->
            Visibility.bind(
                    h.createQuery(
                            "SELECT body FROM plans p WHERE hash = :hash AND "
                                + String.format(Visibility.OF_TEAM, "p"))
                        .bind("hash", hash),
                    caller)
                .mapTo(String.class)
                .findOne()
                .map(Json::readMap)
                .map(PlanTree::shown)
                .orElseThrow(() -> ApplicationContext.notFound("plan", hash)));
  }

  @Override
  public List<KeptPlan> plans(
      Caller caller, Optional<String> application, Optional<String> environment) {
    return context.read(
        h ->
            Visibility.bind(
                    h.createQuery(
                            """
                            SELECT hash, application, environment, team, created_by, created_at,
                                   coalesce(body ->> 'effect', 'changes') AS effect
                              FROM plans p
                             WHERE (CAST(:application AS text) IS NULL OR application = :application)
                               AND (CAST(:environment AS text) IS NULL OR environment = :environment)
                               AND %s
                             ORDER BY created_at DESC, hash LIMIT :most
                            """
                                .formatted(String.format(Visibility.OF_TEAM, "p")))
                        .bind("application", application.orElse(null))
                        .bind("environment", environment.orElse(null))
                        .bind("most", PLANS),
                    caller)
                .map(
                    (rs, _) ->
                        new KeptPlan(
                            rs.getString("hash"),
                            rs.getString("application"),
                            rs.getString("environment"),
                            rs.getString("team"),
                            rs.getString("effect"),
                            rs.getString("created_by"),
                            Columns.time(rs, "created_at")))
                .list());
  }

  @Override
  public Accepted deploy(Caller caller, DeployRequest request) {
    DeployCommand command = DeployCommand.of(request);
    return request.mode() == DeployRequest.Mode.DRY_RUN
        ? deploying.dryRun(caller, command)
        : deploying.deploy(caller, command);
  }

  @Override
  public Accepted rollback(Caller caller, Ref application, int revision) {
    DeployCommand command =
        context.read(
            h -> {
              ApplicationRow row = Visibility.application(h, caller, application);
              return new DeployCommand(
                  Specs.stored(context, h, row.id(), revision),
                  List.of(),
                  row.environment(),
                  Optional.of(row.team()),
                  Optional.empty(),
                  DeployCommand.Choices.NONE,
                  Optional.empty(),
                  DeployCommand.Kind.ROLLBACK);
            });
    return deploying.deploy(caller, command);
  }

  @Override
  public Accepted deprovision(Caller caller, Ref application, Teardown teardown) {
    return deploying.teardown(caller, application, teardown);
  }

  @Override
  public Page<Summary> list(Caller caller, Filter filter, Page.Ask page) {
    return context.read(h -> ApplicationLists.list(h, caller, filter, page));
  }

  @Override
  public View show(Caller caller, Ref application) {
    return context.read(
        h -> {
          ApplicationRow row = Visibility.application(h, caller, application);
          Optional<DeploymentStore.Newest> newest = DeploymentStore.newest(h, row.id());
          List<Resources.View> resources = views.ofApplication(h, row.id());
          Aggregate health = ResourceViews.health(resources);
          return new View(
              row.id(),
              new ApplicationNodes(row.environment()).application(row.name()),
              row.name(),
              row.environment(),
              row.team(),
              row.revision(),
              row.state().text(),
              health.health().text(),
              health.coverage(),
              health.message(),
              newest.map(DeploymentStore.Newest::id).orElse(null),
              newest.map(DeploymentStore.Newest::status).orElse(null),
              resources,
              row.version(),
              row.createdBy(),
              row.createdAt(),
              row.updatedAt());
        });
  }

  @Override
  public Map<String, Object> workload(Caller caller, Ref application) {
    return context.read(
        h -> {
          ApplicationRow row = Visibility.application(h, caller, application);
          Optional<Map<String, Object>> bound =
              h.createQuery("SELECT workload FROM applications WHERE id = ?")
                  .bind(0, row.id())
                  .map((rs, _) -> Optional.ofNullable(Columns.treeOrNull(rs, "workload")))
                  .one();
          return Values.map(
              Values.masked(
                  bound.orElseThrow(
                      () ->
                          RefusedException.conflict(
                              "not-bound",
                              "the containers of '" + row.name() + "' are not bound yet",
                              "See what is missing: slipway explain " + row.name()))));
        });
  }

  @Override
  public List<Revision> revisions(Caller caller, Ref application) {
    return context.read(
        h -> {
          ApplicationRow row = Visibility.application(h, caller, application);
          return h.createQuery(
                  "SELECT revision, plan_hash, spec, created_by, created_at FROM revisions"
                      + " WHERE application_id = ? ORDER BY revision DESC")
              .bind(0, row.id())
              .map(
                  (rs, _) ->
                      new Revision(
                          rs.getInt("revision"),
                          rs.getString("plan_hash"),
                          Values.map(Values.masked(Columns.tree(rs, "spec"))),
                          rs.getString("created_by"),
                          Columns.time(rs, "created_at")))
              .list();
        });
  }

  @Override
  public Explanation explain(Caller caller, Ref application, Optional<String> resource) {
    return context.read(
        h -> new Explaining(h, context.now()).explain(caller, application, resource));
  }
}
