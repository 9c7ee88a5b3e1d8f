package dev.slipway.postgres.applications;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.plan.Plan;
import dev.slipway.engine.plan.Planned;
import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.simulate.Simulation;
import dev.slipway.engine.simulate.Simulator;
import dev.slipway.engine.workflow.NamespaceTemplate;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.postgres.applications.Applications.DeployRequest;
import dev.slipway.postgres.applications.Preparation.Prepared;
import java.util.ArrayList;
import java.util.List;

/** What deploying a document would run, with what there is now. Reads, and writes nothing. */
public final class Simulations {
  private final Ground ground;
  private final Deploying deploying;
  private final Rendering rendering;

  public Simulations(Ground ground, RunStore runs, Rendering rendering) {
    this.ground = ground;
    this.deploying = new Deploying(ground, runs);
    this.rendering = rendering;
  }

  /** Step by step; refused as the deployment would be. */
  public Simulation of(Caller caller, DeployRequest request) {
    Wish wish = Wish.of(request);
    Prepared prepared = ground.read(h -> deploying.look(h, caller, wish));
    Preparation.refuse(prepared, wish.planHash(), wish.ifVersion());
    Simulation simulation =
        new Simulator(
                ground.offers(prepared.environment().name()),
                rendering,
                ground.box(),
                place(caller, prepared))
            .of(prepared.planned());
    return new Simulation(
        withWarnings(prepared.planned(), wish), simulation.work(), simulation.approvals());
  }

  private static Plan withWarnings(Planned planned, Wish wish) {
    Plan plan = planned.plan();
    List<Diagnostic> warnings = new ArrayList<>(wish.warnings());
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

  private Simulator.Place place(Caller caller, Prepared prepared) {
    EnvironmentRow environment = prepared.environment();
    String application = prepared.wanted().application();
    String template = environment.namespaceTemplate();
    NamespaceTemplate.Result namespace =
        template == null
            ? new NamespaceTemplate.Result.Name(application + "-" + environment.name())
            : NamespaceTemplate.render(template, application, environment.name(), prepared.team());
    return new Simulator.Place(
        environment.name(),
        environment.type(),
        environment.variables(),
        namespace instanceof NamespaceTemplate.Result.Name(String name) ? name : "",
        prepared.team(),
        caller.user(),
        Guard.covers(ground, environment) ? Simulator.Guarded.YES : Simulator.Guarded.NO,
        ground.now());
  }
}
