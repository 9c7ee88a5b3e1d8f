package dev.slipway.postgres.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.LinkedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.runs.PostgresRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The store of the simulation and the real one get the same random calls and must give the same
 * answers: what holds in the one then says something about the other.
 */
class StoresAgreeTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final List<Owner> OWNERS =
      List.of(new Owner("a", "1"), new Owner("b", "1"), new Owner("a", "2"));
  private static final Resolution.Definition DEFINITION =
      new Resolution.Definition(
          "acme",
          "1.0.0",
          null,
          "content",
          null,
          Map.of(),
          new Workflow("make", "", List.of(), Map.of(), List.of(), Map.of(), List.of()),
          "source",
          Map.of());

  private final List<UUID> known = new ArrayList<>();
  private final List<ClaimedRun> claims = new ArrayList<>();
  private final Map<UUID, Long> versions = new HashMap<>();
  private Random random = new Random(0);
  private Instant now = Turns.START;

  @Test
  void both_stores_answer_every_call_alike() {
    try (Database database = MigratedDatabase.open();
        Notifications notifications = new Notifications(database);
        PostgresRuns real =
            new PostgresRuns(database, notifications, new SecretBox(new byte[32]))) {
      for (int seed = 1; seed <= 12; seed++) {
        database.jdbi().useHandle(h -> h.execute("TRUNCATE runs, steps, attempts, events"));
        known.clear();
        claims.clear();
        versions.clear();
        random = new Random(seed);
        MemoryRuns memory = new MemoryRuns(run -> {}, MemoryRuns.Audit.NONE);
        for (int call = 0; call < 60; call++) {
          now = now.plusMillis(1 + random.nextInt(random.nextInt(4) == 0 ? 40_000 : 3_000));
          Call next = next();
          assertThat(next.on(real))
              .as("seed %d, call %d: %s", seed, call, next)
              .isEqualTo(next.on(memory));
        }
      }
    }
  }

  /** One call, whose answer can be compared. */
  private record Call(String name, Function<RunStore, Object> body) {
    Object on(RunStore store) {
      return body.apply(store);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private Call next() {
    Owner owner = OWNERS.get(random.nextInt(OWNERS.size()));
    return switch (random.nextInt(12)) {
      case 0 -> insert(run(NewRun.Kind.PLATFORM, null));
      case 1, 2, 3 -> claim(owner);
      case 4, 5, 6 -> claims.isEmpty() ? claim(owner) : write();
      case 7 -> heartbeat(owner);
      case 8 -> abandon(owner);
      case 9 -> cancel();
      case 10 -> {
        Set<UUID> held = known.isEmpty() ? Set.of() : Set.of(some(known));
        yield random.nextBoolean()
            ? new Call("release by " + owner, store -> store.release(owner, now))
            : new Call("disown by " + owner, store -> store.disown(owner, held, now));
      }
      default -> {
        UUID run = known.isEmpty() ? new UUID(0, 0) : some(known);
        yield new Call(
            "look at " + run,
            store ->
                List.of(
                    store.nextDue(owner),
                    store.madeBy(run).stream()
                        .sorted(Comparator.comparing((LinkedRun r) -> r.id().toString()))
                        .toList()));
      }
    };
  }

  private <T> T some(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private Call insert(NewRun run) {
    return new Call(
        "insert",
        store -> {
          store.insert(List.of(run));
          return run.id();
        });
  }

  private NewRun run(NewRun.Kind kind, UUID parent) {
    UUID id = new UUID(random.nextLong(), random.nextLong());
    known.add(id);
    return new NewRun(
        id,
        kind,
        DEFINITION,
        null,
        NewRun.Subject.NONE,
        new NewRun.Tenancy("default", "team"),
        NewRun.Origin.of(parent),
        NewRun.Inputs.NONE,
        new NewRun.Creation("somebody", now),
        random.nextBoolean() ? Duration.ofMinutes(5) : null);
  }

  /**
   * All that are due: the order of two that are due at the same time is not part of the contract.
   */
  private Call claim(Owner owner) {
    return new Call(
        "claim by " + owner,
        store -> {
          List<ClaimedRun> claimed = store.claim(owner, 1000, now, LEASE);
          for (ClaimedRun run : claimed) {
            claims.removeIf(c -> c.id().equals(run.id()) && c.epoch() == run.epoch());
            claims.add(run);
            versions.put(run.id(), run.version());
          }
          return claimed.stream()
              .sorted(Comparator.comparing((ClaimedRun r) -> r.id().toString()))
              .map(StoresAgreeTest::described)
              .toList();
        });
  }

  private static List<Object> described(ClaimedRun run) {
    return List.of(
        run.id(),
        run.kind(),
        run.epoch(),
        run.version(),
        run.signals(),
        run.before(),
        run.startedAt(),
        Optional.ofNullable(run.deadline()),
        run.variables(),
        run.steps(),
        run.cancel(),
        run.rollback());
  }

  /** A transition of a claim that may be old by now. */
  private Call write() {
    ClaimedRun run = random.nextInt(4) > 0 ? claims.getLast() : some(claims);
    long version = random.nextInt(8) == 0 ? run.version() : versions.get(run.id());
    StepRecord step = StepRecord.pending("s" + random.nextInt(2)).started("hash", now);
    StepRecord moved =
        random.nextBoolean() ? step : step.ended(StepState.SUCCEEDED, Map.of("a", 1L), null, now);
    RunWrite write =
        new RunWrite(
            run.id(),
            run.fence(),
            version,
            List.of(moved),
            List.of(),
            change(),
            Optional.empty(),
            others(run),
            List.of(),
            now);
    return new Call(
        "write " + write,
        store -> {
          RunStore.Outcome outcome = store.write(write).join();
          if (outcome == RunStore.Outcome.WRITTEN) {
            versions.put(run.id(), version + 1);
          }
          return outcome;
        });
  }

  private Optional<RunWrite.RunChange> change() {
    RunState state =
        switch (random.nextInt(5)) {
          case 0 -> RunState.RUNNING;
          case 1, 2 -> RunState.WAITING;
          case 3 -> RunState.SUCCEEDED;
          default -> null;
        };
    if (state == null) {
      return Optional.empty();
    }
    Instant due = random.nextBoolean() ? now.plusSeconds(random.nextInt(60)) : null;
    Hold hold =
        state == RunState.RUNNING ? new Hold.Keep() : new Hold.GiveBack(due, random.nextInt(3));
    boolean still = state == RunState.WAITING && random.nextBoolean();
    return Optional.of(
        new RunWrite.RunChange(
            state,
            hold,
            random.nextBoolean() ? Map.of("v", (long) random.nextInt(9)) : Map.of(),
            Map.of(),
            null,
            random.nextInt(4) == 0 ? RunWrite.Rollback.RUNNING : null,
            still ? Deadline.STANDS_STILL : Deadline.RUNS));
  }

  private RunWrite.Others others(ClaimedRun run) {
    List<NewRun> made =
        random.nextInt(4) == 0 ? List.of(run(NewRun.Kind.CHILD, run.id())) : List.of();
    List<RunWrite.Halt> halted =
        random.nextInt(6) == 0
            ? List.of(new RunWrite.Halt(some(known), some(List.of(RunStore.Cancel.values()))))
            : List.of();
    Optional<UUID> woken =
        random.nextInt(3) == 0
            ? Optional.of(some(known)).filter(id -> !id.equals(run.id()))
            : Optional.empty();
    return new RunWrite.Others(
        made, halted.stream().filter(h -> !h.run().equals(run.id())).toList(), woken);
  }

  private Map<UUID, Long> epochs() {
    Map<UUID, Long> epochs = new HashMap<>();
    claims.stream().filter(c -> random.nextBoolean()).forEach(c -> epochs.put(c.id(), c.epoch()));
    return epochs;
  }

  private Call heartbeat(Owner owner) {
    Map<UUID, Long> epochs = epochs();
    return new Call(
        "heartbeat " + epochs + " by " + owner,
        store -> new HashMap<>(store.heartbeat(owner, epochs, now.plus(LEASE))));
  }

  private Call abandon(Owner owner) {
    Map<UUID, Long> epochs = epochs();
    Instant until = now.plusSeconds(random.nextInt(10));
    return new Call(
        "abandon " + epochs + " by " + owner, store -> store.abandon(owner, epochs, until));
  }

  private Call cancel() {
    UUID run = known.isEmpty() || random.nextInt(8) == 0 ? new UUID(1, 1) : some(known);
    RunStore.Cancel how = some(List.of(RunStore.Cancel.values()));
    return new Call("cancel " + run, store -> store.cancel(run, how, now));
  }
}
