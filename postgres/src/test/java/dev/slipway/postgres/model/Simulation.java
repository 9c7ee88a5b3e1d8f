package dev.slipway.postgres.model;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.SubWorkflowExecutor;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.model.Scenario.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;

/** Plays one scenario with the real engine, to its end or to the first broken rule. */
final class Simulation implements Turns.Alarmed {
  private static final Duration FAULTS = Duration.ofMinutes(3);
  private static final Duration LONGEST = Duration.ofHours(6);
  private static final long MOST_TURNS = 150_000;
  private static final int MIDST = 4;
  private static final int LATE = 4;
  private static final SecretBox BOX = new SecretBox(new byte[32]);

  /** One server process. */
  private final class Replica implements ShakyRuns.Weather {
    final Turns.Machine machine;
    final Alarms alarms = Alarms.byHand(turns);
    final Dispatcher dispatcher;
    Instant awayUntil = Instant.MIN;
    Runnable atNextBeginning = () -> {};

    Replica(String name, int process) {
      this.machine = turns.new Machine(name + "/" + process);
      if (broken == Broken.STEPS_GO_ON) {
        machine.deafen();
      }
      RunStore.Owner owner = new RunStore.Owner(name, String.valueOf(process));
      store.release(owner, turns.instant());
      List<StepExecutor> hands = new ArrayList<>();
      hands.add(new SubWorkflowExecutor());
      hands.addAll(new Actor(turns, machine, rules, desk, scenario.seed(), broken).executors());
      Executors executors = new Executors(hands);
      ShakyRuns runs = new ShakyRuns(store, turns, machine, random, this, broken);
      this.dispatcher =
          new Dispatcher(
              new EngineContext(
                  settings(owner),
                  runs,
                  new Definitions(runs, new WorkflowParser(executors.types())),
                  new Rendering(executors.types()),
                  executors,
                  BOX,
                  chunks -> {},
                  ProviderRules::none,
                  () -> RunStore.Bounds.NONE,
                  turns,
                  alarms,
                  random,
                  RunMetrics.NONE,
                  ProviderFiles.LOCAL,
                  machine));
    }

    private EngineSettings settings(RunStore.Owner owner) {
      EngineSettings usual = EngineSettings.of(owner);
      // Few places, so that steps have to wait for them.
      return random.nextInt(3) == 0
          ? usual.withSteps(new EngineSettings.StepLimit(2, 1), new EngineSettings.StepLimit(2, 1))
          : usual;
    }

    @Override
    public int faults() {
      return turns.instant().isBefore(calm) ? scenario.storeFaults() : 0;
    }

    @Override
    public void written(RunWrite write) {
      if (write.steps().stream().anyMatch(s -> s.state() == StepState.RUNNING)) {
        atNextBeginning.run();
        atNextBeginning = () -> {};
      }
    }

    @Override
    public Instant awayUntil() {
      return awayUntil;
    }
  }

  private final Scenario scenario;
  private final Broken broken;
  private final Random random;
  private final Turns turns;
  private final Rules rules;
  private final Desk desk = new Desk();
  private final MemoryRuns store;
  private final Instant calm = Turns.START.plus(FAULTS);
  private final List<Replica> replicas = new ArrayList<>();
  private final List<UUID> runs = new ArrayList<>();
  private Instant deafUntil = Instant.MIN;
  private int processes;

  private Simulation(Scenario scenario, Broken broken) {
    this.scenario = scenario;
    this.broken = broken;
    this.random = new Random(scenario.seed());
    this.turns = new Turns(random);
    this.rules = new Rules(turns);
    this.store = broken.store(this::notified, rules);
    rules.watch(store);
  }

  /** What happened. */
  record Played(
      List<String> violations,
      long turns,
      Duration time,
      int runs,
      int heldBack,
      List<String> story) {}

  static Played play(Scenario scenario, Broken broken) {
    return new Simulation(scenario, broken).play();
  }

  private Played play() {
    for (int i = 0; i < scenario.replicas(); i++) {
      replicas.add(new Replica("r" + i, ++processes));
    }
    submit();
    scenario.faults().forEach(f -> turns.at(Turns.START.plusMillis(f.at()), () -> strike(f)));
    boolean alive = true;
    while (alive && rules.violations().isEmpty() && turns.broken().isEmpty() && !over()) {
      alive =
          turns.turn(this)
              && turns.taken() < MOST_TURNS
              && turns.instant().isBefore(calm.plus(LONGEST));
    }
    if (rules.violations().isEmpty()) {
      rules.over();
    }
    List<String> violations = new ArrayList<>(rules.violations());
    turns.broken().forEach(e -> violations.add("a thread broke: " + e));
    List<String> story = List.copyOf(rules.story());
    turns.end();
    return new Played(
        violations,
        turns.taken(),
        Duration.between(Turns.START, turns.instant()),
        store.rows.size(),
        rules.heldBack(),
        story);
  }

  /**
   * All runs have ended, all faults have passed, and every frozen machine has woken up and left its
   * calls.
   */
  private boolean over() {
    return !turns.planned()
        && store.rows.values().stream().allMatch(r -> r.state.finished())
        && replicas.stream()
            .allMatch(r -> r.machine.moves() && !r.awayUntil.isAfter(turns.instant()))
        && turns.busy().isEmpty();
  }

  private void submit() {
    Executors known =
        new Executors(
            List.of(
                new SubWorkflowExecutor(),
                new Actor(turns, turns.new Machine("none"), rules, desk, 0, broken)
                    .executors()
                    .get(0),
                new Actor(turns, turns.new Machine("none"), rules, desk, 0, broken)
                    .executors()
                    .get(1),
                new Actor(turns, turns.new Machine("none"), rules, desk, 0, broken)
                    .executors()
                    .get(2)));
    WorkflowParser parser = new WorkflowParser(known.types());
    Resolution.Definition definition = definition(parser, "main", scenario.main());
    if (scenario.calls()) {
      Resolution.Definition called = definition(parser, "called", scenario.called());
      definition =
          definition.calling(Map.of("acme/called", DefinitionSnapshot.of(called).component()));
    }
    for (int i = 0; i < scenario.runs(); i++) {
      NewRun run = run(definition);
      runs.add(run.id());
      store.insert(List.of(run));
    }
  }

  private static Resolution.Definition definition(
      WorkflowParser parser, String name, List<Scenario.Plan> steps) {
    String source = Scenario.source(name, steps);
    Diagnostics diagnostics = new Diagnostics();
    Workflow workflow =
        Document.parse("workflow.yaml", source, Limits.PROVIDER, diagnostics)
            .flatMap(document -> parser.parse(document, diagnostics))
            .orElseThrow(() -> new IllegalArgumentException(diagnostics + "\n" + source));
    return new Resolution.Definition(
        "acme", "1.0.0", null, "hash", null, Map.of(), workflow, source, Map.of());
  }

  private NewRun run(Resolution.Definition definition) {
    return new NewRun(
        new UUID(random.nextLong(), random.nextLong()),
        NewRun.Kind.PLATFORM,
        definition,
        null,
        NewRun.Subject.NONE,
        new NewRun.Tenancy("default", "team"),
        NewRun.Origin.NONE,
        NewRun.Inputs.NONE,
        new NewRun.Creation("somebody", turns.instant()),
        Duration.ofMinutes(30));
  }

  /** The notification reaches replicas soon, some not at all. */
  private void notified(String run) {
    if (deafUntil.isAfter(turns.instant())) {
      return;
    }
    for (Replica replica : List.copyOf(replicas)) {
      turns.at(
          turns.instant().plusMillis(random.nextInt(20)),
          () -> {
            if (replica.machine.dead()) {
              return;
            }
            if (run.isEmpty()) {
              replica.dispatcher.signal();
            } else {
              replica.dispatcher.signal(UUID.fromString(run));
            }
          });
    }
  }

  private void strike(Fault fault) {
    rules.tell("%s", fault);
    int index = fault.whom() % replicas.size();
    Replica replica = replicas.get(index);
    UUID run = runs.get(fault.whom() % runs.size());
    Instant end = turns.instant().plusMillis(fault.lasts());
    switch (fault.what()) {
      case CRASH -> amidst(replica, back -> crash(index, back), fault.lasts());
      case FREEZE -> amidst(replica, replica.machine::freeze, fault.lasts());
      case DATABASE_AWAY -> replica.awayUntil = end;
      case WAKE_UPS_LOST -> deafUntil = end;
      case CANCEL -> store.cancel(run, RunStore.Cancel.REQUESTED, turns.instant());
      case FORCE -> store.cancel(run, RunStore.Cancel.FORCED, turns.instant());
      case GRANT -> desk.decide(Desk.Said.GRANTED, turns.instant(), store);
      case REJECT -> desk.decide(Desk.Said.REJECTED, turns.instant(), store);
    }
  }

  /** Where it hurts: when the next step is about to begin, or whatever is done then. */
  private void amidst(Replica replica, Consumer<Instant> event, int lasts) {
    int turns = random.nextInt(MIDST);
    Runnable strike = () -> event.accept(this.turns.instant().plusMillis(lasts));
    if (random.nextInt(3) > 0) {
      replica.atNextBeginning = () -> this.turns.after(turns, strike);
    } else {
      this.turns.after(turns, strike);
    }
  }

  private void crash(int index, Instant back) {
    Turns.Machine machine = replicas.get(index).machine;
    if (!machine.dead()) {
      machine.die();
      turns.at(back, () -> replicas.set(index, new Replica("r" + index, ++processes)));
    }
  }

  @Override
  public void ring() {
    for (Replica replica : List.copyOf(replicas)) {
      // On a machine that wakes up, timers and threads go on in any order.
      boolean first = !replica.machine.justWoke() || random.nextInt(LATE) == 0;
      if (first && replica.machine.moves()) {
        replica.alarms.ring();
      }
    }
  }

  @Override
  public Instant next() {
    Instant next = Instant.MAX;
    for (Replica replica : replicas) {
      Instant due =
          replica.machine.moves() ? replica.alarms.next().orElse(Instant.MAX) : Instant.MAX;
      next = due.isBefore(next) ? due : next;
    }
    return next;
  }
}
