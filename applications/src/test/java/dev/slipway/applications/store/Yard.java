package dev.slipway.applications.store;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.access.Teams;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.Report;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.environments.Environments;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.testbed.SettableClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A whole application store on a database of its own, with a pair of hands that carries runs out as
 * the test says, through the real run store.
 */
final class Yard implements AutoCloseable {
  static final Caller ANN = caller("ann", "shop-team");
  static final Caller BEN = caller("ben", "data-team");
  static final Caller ADMIN = new Caller("admin", new Teams.Every(), new Teams.Every());

  final Database database = MigratedDatabase.open();
  final Notifications notifications = new Notifications(database);
  final SecretBox box = new SecretBox(new byte[32]);
  final PostgresRuns runs = new PostgresRuns(database, notifications, box);
  final SettableClock clock = new SettableClock();
  Registry registry;
  AdminConfig config = AdminConfig.DEFAULT;
  private final java.util.concurrent.atomic.AtomicLong ids =
      new java.util.concurrent.atomic.AtomicLong(1);
  final ApplicationContext context =
      new ApplicationContext(
          database.jdbi(),
          () -> registry,
          () -> config,
          box,
          notifications,
          clock,
          () -> new UUID(0x7000L, ids.getAndIncrement()),
          ApplicationContext.Failures.NONE);
  final ApplicationStore applications = new ApplicationStore(context, runs);
  final ResourceStore resources = new ResourceStore(context, runs, new AuditLog(database.jdbi()));
  final EnvironmentStore environments =
      new EnvironmentStore(
          YardLoop.environments(context), List.of(new ApplicationOccupant(context, runs)));
  final DeploymentStore deployments = new DeploymentStore(context);
  final GraphStore graphs = new GraphStore(context);
  final YardLoop loop = new YardLoop(context, runs);

  /** What was done, in order: {@code create db}. */
  final List<String> done = java.util.Collections.synchronizedList(new ArrayList<>());

  /** What runs of a resource answer with; by default its host. */
  final Map<String, Function<ClaimedRun, Map<String, Object>>> answers = new HashMap<>();

  /** Resources whose runs fail, as {@code create db}. */
  final Set<String> broken = new java.util.HashSet<>();

  Yard() {
    ApplicationGuard.install(database.jdbi());
    this.registry = Registry.EMPTY;
  }

  private static Caller caller(String user, String team) {
    Teams teams = new Teams.Named(Set.of(team));
    return new Caller(user, teams, teams);
  }

  static Applications.DeployRequest request(String yaml) {
    return request(yaml, Optional.empty());
  }

  static Applications.DeployRequest request(String yaml, Optional<String> environment) {
    return request(yaml, environment, Optional.empty());
  }

  static Applications.DeployRequest request(
      String yaml, Optional<String> environment, Optional<String> team) {
    return new Applications.DeployRequest(
        yaml.getBytes(StandardCharsets.UTF_8),
        "score.yaml",
        environment,
        team,
        Map.of(),
        Optional.empty(),
        Applications.DeployRequest.Mode.APPLY,
        Set.of(),
        Set.of(),
        Optional.empty());
  }

  static Applications.Ref shop() {
    return new Applications.Ref("shop", "default");
  }

  /** An environment that takes changes only under an approved plan. */
  void createProtected(String environment) {
    environments.create(
        ADMIN,
        environment,
        new Environments.Settings(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Environments.Protection.PROTECTED),
            Optional.empty(),
            Optional.empty()),
        Optional.empty());
  }

  Applications.Accepted deploy(String yaml) {
    return applications.deploy(ANN, request(yaml));
  }

  Applications.Accepted destroy(String name) {
    return applications.deprovision(
        ANN,
        new Applications.Ref(name, "default"),
        new Applications.Teardown(
            Optional.of(name), Applications.Teardown.Leftovers.BY_POLICY, Optional.empty()));
  }

  /** What looks of the schedule find; empty: they are put into {@link #looks}. */
  Optional<Effect> seen = Optional.of(Effect.AS_LEFT);

  /** Looks that were taken up and have found nothing yet. */
  final List<ClaimedRun> looks = new ArrayList<>();

  /**
   * Takes up everything that may be taken up. Looks of the schedule are carried out at once, with
   * the turns that follow.
   */
  List<ClaimedRun> claim() {
    List<ClaimedRun> claimed = new ArrayList<>();
    boolean looked;
    do {
      looked = false;
      for (ClaimedRun run : claimAll()) {
        if (!observes(run)) {
          claimed.add(run);
        } else if (seen.isEmpty()) {
          looks.add(run);
        } else {
          looked(run, seen.get(), null);
          looked = true;
        }
      }
      if (looked) {
        loop.advanceDue();
      }
    } while (looked);
    return claimed;
  }

  private static boolean observes(ClaimedRun run) {
    NewRun.Key key = run.subject().key();
    return key != null && NewRun.Key.OBSERVATION.equals(key.cause());
  }

  /** The same, with the looks and without carrying them out. */
  List<ClaimedRun> claimAll() {
    return runs.claim(new RunStore.Owner("yard", "1"), 1000, clock.instant(), Duration.ofHours(1));
  }

  /** The first step of a run begins. */
  ClaimedRun begin(ClaimedRun run) {
    write(run, 0, RunState.RUNNING, new Hold.Keep(), Effect.STARTED, null, null);
    return run;
  }

  /** A run that began ends well, or as it is asked to. */
  void end(ClaimedRun run) {
    clock.advance(Duration.ofMillis(1));
    String what = run.operation() + " " + run.subject().nodeName();
    done.add(what);
    if (broken.contains(what)) {
      StepError error = StepError.permanent("step", what + " does not work", "Mend it.");
      write(run, 1, RunState.FAILED, new Hold.GiveBack(null, 0), Effect.FAILED, error, null);
      return;
    }
    write(
        run,
        1,
        RunState.SUCCEEDED,
        new Hold.GiveBack(null, 0),
        Effect.SUCCEEDED,
        null,
        outputs(run));
  }

  void cancelled(ClaimedRun run) {
    StepError error = StepError.permanent("cancelled", "stopped", null);
    write(run, 1, RunState.CANCELLED, new Hold.GiveBack(null, 0), Effect.FAILED, error, null);
  }

  /** A run that looked at its resource ends with what it found. */
  void looked(ClaimedRun run, Effect found, @Nullable StepError error) {
    write(run, 0, RunState.SUCCEEDED, new Hold.GiveBack(null, 0), found, error, null);
  }

  /** The only write of a run that cannot be taken up. */
  void refused(ClaimedRun run) {
    StepError error = StepError.permanent("unusable", "cannot be read", null);
    write(run, 0, RunState.FAILED, new Hold.GiveBack(null, 0), Effect.FAILED, error, null);
  }

  private Map<String, Object> outputs(ClaimedRun run) {
    String name = String.valueOf(run.subject().nodeName());
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("host", name + ".local");
    outputs.put("password", box.seal("secret-of-" + name));
    Function<ClaimedRun, Map<String, Object>> answer = answers.get(name);
    return answer == null ? outputs : answer.apply(run);
  }

  private void write(
      ClaimedRun run,
      int written,
      RunState state,
      Hold hold,
      Effect effect,
      @Nullable StepError error,
      @Nullable Map<String, Object> outputs) {
    RunWrite write =
        new RunWrite(
            run.id(),
            run.fence(),
            run.version() + written,
            List.of(),
            List.of(),
            Optional.of(
                new RunChange(
                    state,
                    hold,
                    Map.of(),
                    outputs == null ? Map.of() : outputs,
                    error,
                    null,
                    Deadline.RUNS)),
            Optional.ofNullable(run.subject().key())
                .map(key -> new Report(key, effect, "test", error)),
            RunWrite.Others.NONE,
            List.of(),
            clock.instant());
    try {
      if (runs.write(write).get(10, TimeUnit.SECONDS) != RunStore.Outcome.WRITTEN) {
        throw new IllegalStateException("fenced: " + run.subject().nodeName());
      }
    } catch (InterruptedException
        | java.util.concurrent.ExecutionException
        | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets everything happen that can happen. */
  void settle() {
    for (int round = 0; round < 100; round++) {
      List<ClaimedRun> claimed = claim();
      claimed.forEach(run -> end(begin(run)));
      int moved = loop.advanceDue();
      if (claimed.isEmpty() && moved == 0) {
        countsAreRight();
        return;
      }
    }
    throw new IllegalStateException("never settles; done so far: " + done);
  }

  /** What lists show of each application is what can be counted. */
  private void countsAreRight() {
    ResourceCounts counts = new ResourceCounts(database.jdbi());
    counts
        .next(ResourceCounts.Pass.START, 1000)
        .filter(pass -> pass.corrected() > 0)
        .ifPresent(
            pass -> {
              throw new IllegalStateException(pass.corrected() + " counts in lists were wrong");
            });
  }

  Map<String, String> states() {
    Map<String, String> states = new java.util.TreeMap<>();
    database
        .jdbi()
        .useHandle(
            h ->
                h.createQuery("SELECT name, state FROM resources ORDER BY id")
                    .map((rs, c) -> Map.entry(rs.getString(1), rs.getString(2)))
                    .forEach(e -> states.put(e.getKey(), e.getValue())));
    return states;
  }

  List<String> events() {
    return database
        .jdbi()
        .withHandle(
            h -> h.createQuery("SELECT type FROM events ORDER BY id").mapTo(String.class).list());
  }

  String everything() {
    return database
        .jdbi()
        .withHandle(
            h -> {
              StringBuilder all = new StringBuilder();
              for (String table :
                  List.of("revisions", "plans", "resources", "runs", "events", "applications")) {
                h.createQuery("SELECT t::text FROM " + table + " t")
                    .mapTo(String.class)
                    .forEach(row -> all.append(row).append('\n'));
              }
              return all.toString();
            });
  }

  static Refusal refusal(Runnable work) {
    try {
      work.run();
    } catch (RefusedException e) {
      return e.refusal();
    }
    throw new AssertionError("was not refused");
  }

  Resources.View resource(String name) {
    return applications.show(ADMIN, shop()).resources().stream()
        .filter(r -> r.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  Object output(String name, String key) {
    return Values.map(resource(name).outputs()).get(key);
  }

  /** Empty again, with these providers. */
  void reset(Registry fresh) {
    registry = fresh;
    config = AdminConfig.DEFAULT;
    done.clear();
    answers.clear();
    broken.clear();
    seen = Optional.of(Effect.AS_LEFT);
    looks.clear();
    database
        .jdbi()
        .useHandle(
            h -> {
              h.execute(
                  "TRUNCATE applications, environments, resources, looks, runs, steps, definitions,"
                      + " events, wakeups, signals, timers, node_health, health_history,"
                      + " gate_waits, approvals, plans, audit, resource_transitions CASCADE");
              h.execute(
                  "INSERT INTO environments (name, created_at, updated_at)"
                      + " VALUES ('default', now(), now())");
            });
  }

  @Override
  public void close() {
    runs.close();
    notifications.close();
    database.close();
  }
}
