package dev.slipway.applications.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.applications.plan.Plan;
import dev.slipway.applications.plan.PlanAnswer;
import dev.slipway.applications.store.Applications;
import dev.slipway.applications.store.Applications.DeployRequest;
import dev.slipway.applications.store.DeploymentStore;
import dev.slipway.applications.store.PlanGraph;
import dev.slipway.applications.store.Simulations;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.graph.Graph;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.GraphAnswer;
import dev.slipway.web.Lists;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Diagnostics and plans before a deployment, and deployments by id. */
public record PlanApi(
    Applications applications, DeploymentStore deployments, Simulations simulations) {
  public List<Route> routes() {
    return List.of(
        ScoreRequest.parameters(
                post("/api/validate")
                    .needs(Action.READ)
                    .named("validate", "All diagnostics of a Score document; changes nothing"))
            .takes(Route.Content.DOCUMENT, "Object")
            .gives(200, "valid or not", "Validation")
            .is(Route.Trait.UNAUDITED)
            .by(this::validate),
        ScoreRequest.parameters(
                post("/api/workflow-analysis")
                    .needs(Action.READ)
                    .named("plan", "What deploying a Score document would do; changes nothing"))
            .takes(Route.Content.DOCUMENT, "Object")
            .gives(200, "the plan", "Plan")
            .is(Route.Trait.UNAUDITED)
            .by(call -> Answer.ok(PlanAnswer.of(plan(call)))),
        ScoreRequest.parameters(
                post("/api/simulate")
                    .needs(Action.READ)
                    .named(
                        "simulate",
                        "Which workflows and steps deploying would run, with their inputs; changes"
                            + " nothing"))
            .takes(Route.Content.DOCUMENT, "Object")
            .gives(200, "the plan and what it would run", "Simulation")
            .is(Route.Trait.UNAUDITED)
            .by(
                call ->
                    Answer.ok(
                        simulations.of(
                            Callers.of(call),
                            ScoreRequest.of(call, DeployRequest.Mode.DRY_RUN, Optional.empty())))),
        get("/api/plans")
            .needs(Action.READ)
            .named("listPlans", "Plans that are kept, newest first")
            .query("application", "only those of that application")
            .query("environment", "only those of this environment")
            .paged()
            .gives(200, "a piece of the list", "PlanSummary[]")
            .by(this::plans),
        get("/api/plans/{hash}/graph")
            .needs(Action.READ)
            .named("planGraph", "What a plan is about, as a graph")
            .gives(200, "the graph", "Graph")
            .by(call -> GraphAnswer.of(graph(call))),
        GraphAnswer.exporting(
                get("/api/plans/{hash}/graph/export")
                    .needs(Action.READ)
                    .named("planGraphExport", "The graph of a plan as text"))
            .by(call -> GraphAnswer.export(call, () -> graph(call))),
        get("/api/plans/{hash}")
            .needs(Action.READ)
            .named("showPlan", "A plan made before")
            .gives(200, "the plan", "Plan")
            .by(call -> Answer.ok(applications.plan(Callers.of(call), call.path("hash")))),
        get("/api/deployments")
            .needs(Action.READ)
            .named(
                "findDeployments", "Deployments, newest first, also of applications that are gone")
            .query("application", new Route.OldSpelling("app"), "of that application only")
            .query("environment", "only there; with 'application' it is 'default' if not given")
            .paged()
            .gives(200, "a piece of the list", "Deployment[]")
            .by(this::history),
        get("/api/deployments/{id}")
            .needs(Action.READ)
            .named("showDeployment", "A deployment, rollback or teardown, with its resources now")
            .gives(200, "the deployment", "Deployment")
            .by(
                call ->
                    Answer.ok(deployments.show(Callers.of(call), call.id("id", "deployment")))));
  }

  private Answer plans(Call call) {
    return Lists.piece(
        call,
        applications.plans(Callers.of(call), call.query("application"), call.query("environment")));
  }

  private Graph graph(Call call) {
    return PlanGraph.of(applications.plan(Callers.of(call), call.path("hash")));
  }

  private Plan plan(Call call) {
    return applications.plan(
        Callers.of(call), ScoreRequest.of(call, DeployRequest.Mode.DRY_RUN, Optional.empty()));
  }

  private Answer history(Call call) {
    return Lists.piece(
        call,
        deployments.history(
            Callers.of(call),
            call.query("application"),
            call.query("environment").or(() -> call.query("application").map(given -> "default"))));
  }

  private Answer validate(Call call) {
    Map<String, Object> out = new LinkedHashMap<>();
    try {
      Plan plan = plan(call);
      out.put("valid", true);
      out.put("diagnostics", plan.warnings());
    } catch (RefusedException refused) {
      if (!(refused.refusal() instanceof Refusal.Invalid invalid)) {
        throw refused;
      }
      out.put("valid", false);
      out.put("diagnostics", invalid.diagnostics());
    }
    return Answer.ok(out);
  }
}
