package dev.slipway.server.api;

import static dev.slipway.server.http.Route.get;
import static dev.slipway.server.http.Route.post;

import dev.slipway.engine.plan.Plan;
import dev.slipway.engine.progress.Refusal;
import dev.slipway.engine.progress.RefusedException;
import dev.slipway.postgres.applications.Applications;
import dev.slipway.postgres.applications.Applications.DeployRequest;
import dev.slipway.postgres.applications.Deployments;
import dev.slipway.postgres.applications.Simulations;
import dev.slipway.server.access.Action;
import dev.slipway.server.http.Answer;
import dev.slipway.server.http.Call;
import dev.slipway.server.http.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What would happen, before it does: diagnostics and plans; and deployments by their id. */
public final class PlanApi {
  private final Applications applications;
  private final Deployments deployments;
  private final Simulations simulations;

  public PlanApi(Applications applications, Deployments deployments, Simulations simulations) {
    this.applications = applications;
    this.deployments = deployments;
    this.simulations = simulations;
  }

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
            .by(call -> Answer.ok(plan(call))),
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
        get("/api/plans/{hash}")
            .needs(Action.READ)
            .named("showPlan", "A plan made before")
            .gives(200, "the plan", "Plan")
            .by(call -> Answer.ok(applications.plan(Callers.of(call), call.path("hash")))),
        get("/api/deployments")
            .needs(Action.READ)
            .named(
                "findDeployments", "Deployments, newest first, also of applications that are gone")
            .query("app", "of that application only")
            .query("environment", "only there; with 'app' it is 'default' if not given")
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

  private Plan plan(Call call) {
    return applications.plan(
        Callers.of(call), ScoreRequest.of(call, DeployRequest.Mode.DRY_RUN, Optional.empty()));
  }

  private Answer history(Call call) {
    return Lists.piece(
        call,
        deployments.history(
            Callers.of(call),
            call.query("app"),
            call.query("environment").or(() -> call.query("app").map(app -> "default"))));
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
