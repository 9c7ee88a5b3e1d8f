package dev.slipway.applications.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.KnownResource.Dependency;
import dev.slipway.applications.plan.KnownResource.Work;
import dev.slipway.applications.plan.ParamWords;
import dev.slipway.applications.plan.TableOffers;
import dev.slipway.applications.progress.ModelApplication.ModelResource;
import dev.slipway.applications.progress.ModelApplication.ModelResource.End;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random applications that live through random documents and ends of runs. Each time that runs have
 * reported, the decision about their resources and neighbours is compared with the decision about
 * everything.
 */
class NeighbourhoodTest {
  private static final int SEEDS = 120;
  private static final int TURNS = 80;

  /** More than what a turn of the model takes. */
  private static final Duration TICKS = Duration.ofMillis(10);

  private static final List<Health> SEEN =
      List.of(Health.UNKNOWN, Health.DEGRADED, Health.MISSING, Health.PROGRESSING);

  private Random random = new Random();
  private ModelApplication application = new ModelApplication();
  private String phase = "deploy";
  private Progress progress = progress(Observe.Drift.REPORT);
  private int largest;
  private final Map<GateRecord.Stage, Integer> judged = new EnumMap<>(GateRecord.Stage.class);
  private @Nullable Instant due;

  private static Progress progress(Observe.Drift drift) {
    return new Progress(TableOffers.offers(), ParamWords.BOX, drift);
  }

  static IntStream seeds() {
    return IntStream.range(0, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_decision_about_what_has_changed_makes_the_moves_of_a_decision_about_everything(int seed) {
    random = new Random(seed);
    progress = progress(seed % 2 == 0 ? Observe.Drift.REPORT : Observe.Drift.CORRECT);
    application.type = seed % 7 == 6 ? "queue" : "postgres";
    int size = 3 + random.nextInt(seed % 3 == 0 ? 40 : 10);
    document(size);
    for (int turn = 0; turn < TURNS; turn++) {
      pass(
          random.nextInt(20) == 0 ? Duration.ofMinutes(6) : Duration.ofMillis(random.nextInt(900)));
      if (random.nextInt(12) == 0) {
        request(size);
      } else {
        reports(seed, turn);
      }
    }
  }

  @Test
  void in_these_lives_gates_wait_and_open_and_fail() {
    for (int seed = 0; seed < 24; seed++) {
      application = new ModelApplication();
      due = null;
      a_decision_about_what_has_changed_makes_the_moves_of_a_decision_about_everything(seed);
    }
    assertThat(judged.get(GateRecord.Stage.WAITING)).isGreaterThan(100);
    assertThat(judged.get(GateRecord.Stage.OPEN)).isGreaterThan(100);
    assertThat(judged.get(GateRecord.Stage.FAILED)).isPositive();
  }

  /** A gate that waits for a time has a turn about everything when it has come. */
  private void pass(Duration time) {
    application.now = application.now.plus(time);
    if (due != null && !due.isAfter(application.now.plus(TICKS))) {
      application.now = application.now.plus(TICKS);
      everything();
    }
  }

  @Test
  void a_chain_of_a_thousand_is_provisioned_and_removed_with_a_few_resources_at_a_time() {
    for (int i = 0; i < 1000; i++) {
      ModelResource resource = application.resource("n%04d".formatted(i));
      if (i > 0) {
        String on = "n%04d".formatted(i - 1);
        resource.dependencies.add(new Dependency(application.resource(on).id, on, true));
      }
    }
    ModelResource workload = application.resource("workload");
    application.resources.values().stream()
        .filter(h -> h != workload)
        .forEach(h -> workload.dependencies.add(new Dependency(h.id, h.name, true)));
    everything();
    largest = 0;
    for (int i = 0; i < 1000; i++) {
      ModelResource next = application.resource("n%04d".formatted(i));
      turn(Set.of(next.id), next::begin);
      turn(Set.of(next.id), () -> next.end(End.SUCCEEDED, true));
      turn(Set.of(next.id), () -> next.sampled(Health.HEALTHY, true));
    }
    assertThat(application.looked).as("one look an attempt").hasSize(1000);
    assertThat(application.started).hasSize(1001).last().isEqualTo("create workload");
    assertThat(largest).as("resources that one turn reads").isEqualTo(1001);
    largest = 0;
    turn(Set.of(workload.id), workload::begin);
    application.resources.values().forEach(h -> h.wanted = false);
    phase = "teardown";
    workload.end(End.SUCCEEDED, true);
    everything();
    turn(Set.of(workload.id), () -> workload.end(End.SUCCEEDED, true));
    largest = 0;
    for (int i = 999; i >= 0; i--) {
      ModelResource last = application.resource("n%04d".formatted(i));
      turn(Set.of(last.id), () -> last.end(End.SUCCEEDED, true));
    }
    assertThat(application.states().values()).allMatch(s -> s.startsWith("deleted"));
    assertThat(largest).isLessThan(8);
  }

  /** A document or another request, after which everything is decided about. */
  private void request(int size) {
    switch (random.nextInt(4)) {
      case 0 -> {
        application.resources.values().forEach(h -> h.wanted = false);
        phase = "teardown";
      }
      case 1 -> application.resources.values().forEach(NeighbourhoodTest::retry);
      default -> document(size);
    }
    everything();
  }

  private void document(int size) {
    phase = "deploy";
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < size; i++) {
      if (random.nextInt(5) > 0) {
        names.add("n%02d".formatted(i));
      }
    }
    application.resources.values().forEach(h -> h.wanted &= names.contains(h.name));
    List<String> before = new ArrayList<>();
    for (String name : names) {
      ModelResource resource = application.resource(name);
      resource.wanted = true;
      if (random.nextInt(3) == 0 || resource.incarnation == 1 && !resource.everStarted) {
        asked(resource, before);
      }
      before.add(name);
    }
    // The workload needs everything.
    ModelResource workload = application.resource("w");
    workload.wanted = true;
    depend(workload, before);
    everything();
  }

  private void asked(ModelResource resource, List<String> before) {
    resource.size = String.valueOf(random.nextInt(3));
    resource.policy = random.nextInt(8) == 0 ? DeletionPolicy.ORPHAN : DeletionPolicy.DELETE;
    resource.replacing |= resource.everActive && random.nextInt(8) == 0;
    List<String> on =
        before.stream().filter(n -> random.nextInt(Math.max(2, before.size() / 2)) == 0).toList();
    depend(resource, on);
    resource.named = new TreeSet<>(on.stream().limit(random.nextInt(5)).toList());
    retry(resource);
    if (resource.state == ResourceState.FAILED && !resource.everActive && !resource.deleteFailed) {
      resource.state = ResourceState.REQUESTED;
    }
  }

  private void depend(ModelResource resource, List<String> on) {
    List<Dependency> all = new ArrayList<>();
    on.forEach(n -> all.add(new Dependency(application.resource(n).id, n, true)));
    for (Dependency old : resource.dependencies) {
      if (!on.contains(old.name())) {
        all.add(new Dependency(old.on(), old.name(), false));
      }
    }
    resource.dependencies = all;
  }

  private static void retry(ModelResource resource) {
    if (resource.state == ResourceState.FAILED || resource.state == ResourceState.DEGRADED) {
      resource.attemptedHash = null;
      resource.reason = null;
    }
  }

  private void everything() {
    Decision decision = progress.decide(situation(living()));
    application.write(decision.moves(), decision.waits());
    due = decision.until().orElse(null);
    count(decision.moves());
  }

  private Situation situation(List<KnownResource> resources) {
    return new SituationWords(resources, phase, null, application.now).situation();
  }

  private List<KnownResource> living() {
    return application.living(Set.of());
  }

  /** One to three runs have something to report. */
  private void reports(int seed, int turn) {
    Set<UUID> items = new HashSet<>();
    List<Runnable> changes = new ArrayList<>();
    List<ModelResource> busy =
        new ArrayList<>(
            application.resources.values().stream().filter(h -> h.work != Work.NONE).toList());
    for (int i = 0; i <= random.nextInt(3) && !busy.isEmpty(); i++) {
      ModelResource resource = busy.remove(random.nextInt(busy.size()));
      items.add(resource.id);
      changes.add(
          () -> {
            if (resource.work == Work.UNSTARTED) {
              resource.begin();
            }
            if (random.nextInt(3) > 0) {
              End how = random.nextInt(6) > 0 ? End.SUCCEEDED : End.values()[random.nextInt(3)];
              resource.end(how, random.nextBoolean());
            }
          });
    }
    List<ModelResource> quiet =
        application.resources.values().stream().filter(h -> h.work == Work.NONE).toList();
    if (!quiet.isEmpty() && random.nextInt(8) == 0) {
      ModelResource resource = quiet.get(random.nextInt(quiet.size()));
      items.add(resource.id);
      String code = random.nextBoolean() ? StepError.DRIFT : StepError.MISSING;
      changes.add(() -> resource.look(code));
    }
    List<ModelResource> gated =
        new ArrayList<>(
            application.resources.values().stream()
                .filter(r -> r.gated() && !items.contains(r.id))
                .toList());
    for (int i = random.nextInt(3); i > 0 && !gated.isEmpty(); i--) {
      ModelResource resource = gated.remove(random.nextInt(gated.size()));
      items.add(resource.id);
      Health health = random.nextInt(3) > 0 ? Health.HEALTHY : SEEN.get(random.nextInt(4));
      boolean fresh = random.nextInt(5) > 0;
      changes.add(
          () -> {
            resource.sampled(health, fresh);
            resource.found(health);
          });
    }
    if (items.isEmpty()) {
      return;
    }
    Situation[] all = new Situation[1];
    NeighbourhoodDecision.Decided near =
        decided(
            items,
            () -> {
              changes.forEach(Runnable::run);
              all[0] = situation(living());
            });
    Decision whole = progress.decide(all[0]);
    assertThat(moves(near.moves(), items))
        .as("seed %d, turn %d, %s", seed, turn, application.states())
        .isEqualTo(moves(whole.moves(), items));
    write(near);
  }

  private void count(List<Move> moves) {
    for (Move move : moves) {
      if (move instanceof Move.Judged(var _, GateRecord gate)) {
        judged.merge(gate.stage(), 1, Integer::sum);
      }
    }
  }

  private void write(NeighbourhoodDecision.Decided decided) {
    application.write(decided.moves(), decided.waits());
    count(decided.moves());
    Instant asked = decided.until().orElse(null);
    due = due == null || asked != null && asked.isBefore(due) ? asked : due;
  }

  /** A run is asked to stop again with each decision about everything. */
  private static Set<Move> moves(List<Move> moves, Set<UUID> items) {
    Set<Move> kept = new HashSet<>(moves);
    kept.removeIf(m -> m instanceof Move.Cancel || m instanceof Move.Bind);
    return kept;
  }

  private void turn(Set<UUID> items, Runnable change) {
    write(decided(items, change));
  }

  private Set<UUID> in(ResourceState state, Set<UUID> items) {
    Set<UUID> found = new HashSet<>();
    application.resources.values().stream()
        .filter(h -> items.contains(h.id) && h.state == state)
        .forEach(h -> found.add(h.id));
    return found;
  }

  private NeighbourhoodDecision.Decided decided(Set<UUID> items, Runnable change) {
    Set<UUID> flipped = in(ResourceState.ACTIVE, items);
    change.run();
    flipped.addAll(in(ResourceState.ACTIVE, items));
    flipped.addAll(in(ResourceState.DELETED, items));
    Set<UUID> expanded = new HashSet<>(flipped);
    Set<UUID> core = application.core(items, expanded);
    while (true) {
      List<KnownResource> near = application.near(core, items);
      largest = Math.max(largest, near.size());
      Situation situation = situation(near);
      switch (progress.decide(situation, new Neighbourhood(items, flipped, core, expanded))) {
        case NeighbourhoodDecision.Decided decided -> {
          return decided;
        }
        case NeighbourhoodDecision.Wider wider -> {
          expanded.addAll(wider.expanded());
          core.addAll(wider.core());
          core = application.core(core, expanded);
        }
      }
    }
  }
}
