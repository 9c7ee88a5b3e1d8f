package dev.slipway.applications.store;

import dev.slipway.applications.plan.Plan;
import dev.slipway.applications.plan.Planned;
import dev.slipway.applications.simulate.Simulation;
import dev.slipway.applications.simulate.Simulator;
import dev.slipway.applications.store.Applications.DeployRequest;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.workflow.NamespaceTemplate;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.util.ArrayList;
import java.util.List;

/** What deploying a document would run, with what there is now. Reads, and writes nothing. */
public final class Simulations {
  private final ApplicationContext context;
  private final Deploying deploying;
  private final Rendering rendering;

  public Simulations(ApplicationContext context, RunStore runs, Rendering rendering) {
    this.context = context;
    this.deploying = new Deploying(context, runs);
    this.rendering = rendering;
  }

  /** Step by step; refused as the deployment would be. */
  public Simulation of(Caller caller, DeployRequest request) {
    DeployCommand command = DeployCommand.of(request);
    Prepared prepared = context.read(h -> deploying.look(h, caller, command));
    Preparation.refuse(prepared, command.planHash(), command.ifVersion());
    Simulation simulation =
        new Simulator(
                context.offers(prepared.environment().name()),
                rendering,
                context.box(),
                place(caller, prepared))
            .of(prepared.planned());
    return new Simulation(
        withWarnings(prepared.planned(), command), simulation.work(), simulation.approvals());
  }

  private static Plan withWarnings(Planned planned, DeployCommand command) {
    Plan plan = planned.plan();
    List<Diagnostic> warnings = new ArrayList<>(command.warnings());
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
        environment.guarded(context.config().get()) ? Simulator.Guarded.YES : Simulator.Guarded.NO,
        context.now());
  }
}
