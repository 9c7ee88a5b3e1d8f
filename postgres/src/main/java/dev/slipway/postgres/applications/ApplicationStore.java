package dev.slipway.postgres.applications;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.observe.Explanation;
import dev.slipway.engine.plan.Plan;
import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.Refusal;
import dev.slipway.engine.progress.RefusedException;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.applications.Preparation.Prepared;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applications in PostgreSQL. */
public final class ApplicationStore implements Applications {
  private final Ground ground;
  private final Deploying deploying;
  private final ResourceViews views;

  /** On this ground; runs are stopped through the store that holds them. */
  public ApplicationStore(Ground ground, RunStore runs) {
    this.ground = ground;
    this.deploying = new Deploying(ground, runs);
    this.views = new ResourceViews();
  }

  @Override
  public Plan plan(Caller caller, DeployRequest request) {
    Wish wish = Wish.of(request);
    Prepared prepared = ground.read(h -> deploying.look(h, caller, wish));
    List<dev.slipway.engine.intake.Diagnostic> fatal =
        prepared.planned().errors().stream()
            .filter(d -> !d.code().equals("operation-not-supported"))
            .toList();
    if (!fatal.isEmpty()) {
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.CONTENT, prepared.planned().errors()));
    }
    Plan plan = withWarnings(prepared, wish);
    ground.read(
        h -> {
          new Records(ground, h, caller).plan(plan, prepared.team());
          return plan;
        });
    return plan;
  }

  private static Plan withWarnings(Prepared prepared, Wish wish) {
    Plan plan = prepared.planned().plan();
    List<dev.slipway.engine.intake.Diagnostic> warnings =
        new java.util.ArrayList<>(wish.warnings());
    warnings.addAll(prepared.planned().errors());
    warnings.addAll(plan.warnings());
    return new Plan(
        plan.application(),
        plan.environment(),
        plan.hash(),
        plan.effect(),
        plan.items(),
        plan.waves(),
        plan.criticalPath(),
        warnings);
  }

  @Override
  public Map<String, Object> plan(Caller caller, String hash) {
    return ground.read(
        h ->
            Sight.bind(
                    h.createQuery(
                            "SELECT body FROM plans p WHERE hash = :hash AND "
                                + String.format(Sight.OF_TEAM, "p"))
                        .bind("hash", hash),
                    caller)
                .mapTo(String.class)
                .findOne()
                .map(Json::readMap)
                .orElseThrow(() -> Ground.notFound("plan", hash)));
  }

  @Override
  public Accepted deploy(Caller caller, DeployRequest request) {
    Wish wish = Wish.of(request);
    return request.mode() == DeployRequest.Mode.DRY_RUN
        ? deploying.dryRun(caller, wish)
        : deploying.deploy(caller, wish);
  }

  @Override
  public Accepted rollback(Caller caller, Ref application, int revision) {
    Wish wish =
        ground.read(
            h -> {
              ApplicationRow row = Sight.application(h, caller, application);
              return new Wish(
                  Specs.stored(ground, h, row.id(), revision),
                  List.of(),
                  row.environment(),
                  Optional.of(row.team()),
                  Optional.empty(),
                  Wish.Choices.NONE,
                  Optional.empty(),
                  Wish.Kind.ROLLBACK);
            });
    return deploying.deploy(caller, wish);
  }

  @Override
  public Accepted deprovision(Caller caller, Ref application, Teardown teardown) {
    return deploying.teardown(caller, application, teardown);
  }

  @Override
  public Page<Summary> list(Caller caller, Filter filter, Page.Ask page) {
    return ground.read(h -> ApplicationLists.list(h, caller, filter, page));
  }

  @Override
  public View show(Caller caller, Ref application) {
    return ground.read(
        h -> {
          ApplicationRow row = Sight.application(h, caller, application);
          Optional<DeploymentStore.Newest> newest = DeploymentStore.newest(h, row.id());
          return new View(
              row.id(),
              row.name(),
              row.environment(),
              row.team(),
              row.revision(),
              row.state().text(),
              newest.map(DeploymentStore.Newest::id).orElse(null),
              newest.map(DeploymentStore.Newest::status).orElse(null),
              views.ofApplication(h, row.id()),
              row.version(),
              row.createdBy(),
              row.createdAt(),
              row.updatedAt());
        });
  }

  @Override
  public Map<String, Object> workload(Caller caller, Ref application) {
    return ground.read(
        h -> {
          ApplicationRow row = Sight.application(h, caller, application);
          Optional<Map<String, Object>> bound =
              h.createQuery("SELECT workload FROM applications WHERE id = ?")
                  .bind(0, row.id())
                  .map((rs, context) -> Optional.ofNullable(Columns.treeOrNull(rs, "workload")))
                  .one();
          return Values.map(
              Values.masked(
                  bound.orElseThrow(
                      () ->
                          Ground.conflict(
                              "not-bound",
                              "the containers of '" + row.name() + "' are not bound yet",
                              "See what is missing: slipway explain " + row.name()))));
        });
  }

  @Override
  public List<Revision> revisions(Caller caller, Ref application) {
    return ground.read(
        h -> {
          ApplicationRow row = Sight.application(h, caller, application);
          return h.createQuery(
                  "SELECT revision, plan_hash, spec, created_by, created_at FROM revisions"
                      + " WHERE application_id = ? ORDER BY revision DESC")
              .bind(0, row.id())
              .map(
                  (rs, context) ->
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
    return ground.read(h -> new Explaining(h).explain(caller, application, resource));
  }
}
