package dev.slipway.applications.api;

import static dev.slipway.web.Route.delete;
import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.applications.store.Applications;
import dev.slipway.applications.store.Applications.Accepted;
import dev.slipway.applications.store.Applications.DeployRequest;
import dev.slipway.applications.store.Applications.Ref;
import dev.slipway.applications.store.Applications.Teardown;
import dev.slipway.applications.store.DeploymentStore;
import dev.slipway.postgres.Page;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Fields;
import dev.slipway.web.Lists;
import dev.slipway.web.Route;
import dev.slipway.web.RouteDraft;
import dev.slipway.web.access.Action;
import java.util.ArrayList;
import java.util.List;

/** Applications: deploy, read, explain, roll back, tear down. {@code specs} is the older name. */
public record ApplicationApi(Applications applications, DeploymentStore deployments) {
  public List<Route> routes() {
    List<Route> all = new ArrayList<>(under("/api/applications", ""));
    all.addAll(under("/api/specs", "Spec"));
    return all;
  }

  private List<Route> under(String path, String alias) {
    String one = path + "/{name}";
    return List.of(
        get(path)
            .needs(Action.READ)
            .named("listApplications" + alias, "Applications by environment and name")
            .query("environment", "only those of this environment")
            .query("team", "only those of this team")
            .query("state", "only those in this state")
            .paged()
            .gives(200, "a piece of the list", "ApplicationSummary[]")
            .by(this::list),
        ScoreRequest.parameters(
                post(path)
                    .needs(Action.CHANGE)
                    .named(
                        "deploy" + alias, "Accept a Score document; the work goes on afterwards"))
            .query("dryRun", Route.Parameter.Kind.FLAG, "only say what would be done")
            .takes(Route.Content.DOCUMENT, "Object")
            .gives(200, "accepted as an update, or a dry run", "Accepted")
            .gives(201, "accepted as a new application", "Accepted")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
            .is(Route.Trait.VERSIONED)
            .by(this::deploy),
        get(one)
            .needs(Action.READ)
            .named("showApplication" + alias, "One application with its resources")
            .query("environment", "where it is; 'default' if not given")
            .gives(200, "the application", "Application")
            .by(this::show),
        teardown(delete(one).needs(Action.CHANGE), "deleteApplication" + alias),
        teardown(post(one + "/deprovision").needs(Action.CHANGE), "deprovisionApplication" + alias),
        post(one + "/rollback")
            .needs(Action.CHANGE)
            .named("rollbackApplication" + alias, "Make an earlier revision the newest one")
            .query("environment", "where it is; 'default' if not given")
            .takes(Route.Content.JSON, "Rollback")
            .gives(200, "accepted", "Accepted")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
            .by(this::rollback),
        get(one + "/workload")
            .needs(Action.READ)
            .named("showWorkload" + alias, "Containers and service with every placeholder bound")
            .query("environment", "where it is; 'default' if not given")
            .gives(200, "the workload", "Object")
            .by(call -> Answer.ok(applications.workload(Callers.of(call), ref(call)))),
        get(one + "/revisions")
            .needs(Action.READ)
            .named("listRevisions" + alias, "What was asked for, newest first")
            .query("environment", "where it is; 'default' if not given")
            .paged()
            .gives(200, "a piece of the list", "Revision[]")
            .by(call -> Lists.piece(call, applications.revisions(Callers.of(call), ref(call)))),
        get(one + "/deployments")
            .needs(Action.READ)
            .named("listDeployments" + alias, "Deployments, rollbacks and teardowns, newest first")
            .query("environment", "where it is; 'default' if not given")
            .paged()
            .gives(200, "a piece of the list", "Deployment[]")
            .by(call -> Lists.piece(call, deployments.list(Callers.of(call), ref(call)))),
        get(one + "/explain")
            .needs(Action.READ)
            .named("explainApplication" + alias, "Why it, or one resource, is not active")
            .query("environment", "where it is; 'default' if not given")
            .query("resource", "only this resource")
            .gives(200, "the explanation; no entries when all is well", "Explanation")
            .by(
                call ->
                    Answer.ok(
                        applications.explain(
                            Callers.of(call), ref(call), call.query("resource")))));
  }

  private Route teardown(RouteDraft draft, String operation) {
    return draft
        .named(operation, "Deprovision everything that belongs to it alone, in reverse order")
        .query("environment", "where it is; 'default' if not given")
        .query("confirm", "its name; needed when it has resources")
        .query("orphan", Route.Parameter.Kind.FLAG, "leave the real objects alone")
        .gives(202, "accepted; the work goes on", "Accepted")
        .is(Route.Trait.IDEMPOTENT)
        .is(Route.Trait.VERSIONED)
        .by(this::remove);
  }

  private Answer list(Call call) {
    Applications.Filter filter =
        new Applications.Filter(call.query("environment"), call.query("team"), call.query("state"));
    Page<Applications.Summary> page = applications.list(Callers.of(call), filter, Lists.ask(call));
    return Lists.page(page);
  }

  private Answer deploy(Call call) {
    DeployRequest.Mode mode =
        call.flag("dryRun") ? DeployRequest.Mode.DRY_RUN : DeployRequest.Mode.APPLY;
    Accepted accepted =
        applications.deploy(Callers.of(call), ScoreRequest.of(call, mode, call.ifVersion()));
    boolean made =
        accepted.outcome() == Accepted.Outcome.CREATED && mode == DeployRequest.Mode.APPLY;
    return Answer.of(made ? 201 : 200, accepted)
        .version(accepted.version())
        .with("Location", location(accepted));
  }

  private Answer show(Call call) {
    Applications.View view = applications.show(Callers.of(call), ref(call));
    return Answer.ok(view).version(view.version());
  }

  private Answer remove(Call call) {
    Teardown teardown =
        new Teardown(
            call.query("confirm"),
            call.flag("orphan") ? Teardown.Leftovers.ORPHAN : Teardown.Leftovers.BY_POLICY,
            call.ifVersion());
    return Answer.of(202, applications.deprovision(Callers.of(call), ref(call), teardown));
  }

  private Answer rollback(Call call) {
    Fields fields = call.json().only("revision");
    long revision =
        fields.number("revision").orElseThrow(() -> Fields.wrongField("revision", "is required"));
    if (revision < 1 || revision > Integer.MAX_VALUE) {
      throw Fields.wrongField("revision", "is the number of a revision, 1 or more");
    }
    Accepted accepted = applications.rollback(Callers.of(call), ref(call), (int) revision);
    return Answer.ok(accepted).version(accepted.version());
  }

  static Ref ref(Call call) {
    return new Ref(call.path("name"), call.query("environment").orElse("default"));
  }

  private static String location(Accepted accepted) {
    return "/api/applications/" + accepted.name() + "?environment=" + accepted.environment();
  }
}
