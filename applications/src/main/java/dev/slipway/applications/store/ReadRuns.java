package dev.slipway.applications.store;

import dev.slipway.applications.observe.LookPlan;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.RunContext;
import dev.slipway.applications.progress.Situation;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.resolve.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Runs that look at a resource and change nothing; they are not in charge of it. */
record ReadRuns(ApplicationContext context) {
  /** Who makes the looks that no caller asks for. */
  static final Caller OBSERVER = Caller.system("observer");

  /** One of the schedule: its shard is signalled at the end. */
  NewRun ofSchedule(Situation situation, Move.Look look) {
    UUID resource = look.resource().id();
    return run(situation, look, new By(OBSERVER, LookQueue.subject(resource), limit()));
  }

  /** One that a gate of the application waits for, which is signalled at the end. */
  NewRun ofGate(Situation situation, Move.Look look) {
    return run(
        situation,
        look,
        new By(
            OBSERVER,
            ApplicationKey.of(
                situation.application(), look.resource().id(), NewRun.Key.OBSERVATION),
            limit()));
  }

  /** One that the caller follows to its end: lists and events show it. */
  NewRun ofCaller(Situation situation, Move.Look look, Caller caller) {
    return run(
        situation,
        look,
        new By(
            caller,
            ApplicationKey.of(situation.application(), look.resource().id(), "refresh"),
            longest()));
  }

  private record By(Caller caller, NewRun.Key subject, Duration limit) {}

  private Duration longest() {
    return context.config().get().workflowPolicies().maxWorkflowDuration();
  }

  private Duration limit() {
    return new LookPlan(context.config().get().observe().interval(), 0).limit(longest());
  }

  static Map<String, Object> applied(KnownResource resource) {
    return resource.appliedParams() == null ? Map.of() : resource.appliedParams();
  }

  private NewRun run(Situation situation, Move.Look look, By by) {
    KnownResource resource = look.resource();
    Move.Start start =
        new Move.Start(
            resource,
            Operation.READ,
            look.definition(),
            applied(resource),
            "read",
            look.parameters());
    UUID id = context.ids().get();
    return new NewRun(
        id,
        NewRun.Kind.RESOURCE,
        look.definition(),
        Operation.READ.text(),
        new RunSubject(
                new ApplicationRefs(situation.name(), situation.environment()),
                situation.application())
            .of(resource, by.subject()),
        new NewRun.Tenancy(situation.environment(), resource.team()),
        NewRun.Origin.NONE,
        new NewRun.Inputs(
            look.parameters(),
            RunContext.of(situation, start, id, by.caller().user(), context.config().get()),
            resource.outputs()),
        new NewRun.Creation(by.caller().user(), begins(resource)),
        by.limit());
  }

  /** Never before the end of the run in charge, which another replica may have timed. */
  private Instant begins(KnownResource resource) {
    Instant now = context.now();
    Instant ended = resource.health().ended();
    return ended != null && ended.isAfter(now) ? ended : now;
  }
}
