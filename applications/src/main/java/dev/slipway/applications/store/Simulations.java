package dev.slipway.applications.store;

import dev.slipway.applications.plan.PlanAnswer;
import dev.slipway.applications.simulate.Simulation;
import dev.slipway.applications.simulate.Simulator;
import dev.slipway.applications.store.Applications.DeployRequest;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.workflow.NamespaceTemplate;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.postgres.environments.EnvironmentRow;

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
        PlanAnswer.of(prepared.planned().plan().with(command.warnings())),
        simulation.work(),
        simulation.approvals());
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
