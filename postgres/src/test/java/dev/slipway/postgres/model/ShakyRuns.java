package dev.slipway.postgres.model;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.LinkedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RefusedWriteException;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * The store as one machine sees it: calls take time, others go on meanwhile, and each may fail
 * before it happened or after. A write alone finds out by itself what became of it, as the real one
 * does, but that may take long.
 */
final class ShakyRuns implements RunStore {
  /** How things are with the database now. */
  interface Weather {
    /** Times in a thousand that a call fails. */
    int faults();

    /** That was written from here. */
    void written(RunWrite write);

    /** Until when the database cannot be reached from here. */
    Instant awayUntil();
  }

  private static final int LONGEST_BUSY = 4_000;

  private final MemoryRuns store;
  private final Turns turns;
  private final Turns.Machine machine;
  private final Random random;
  private final Weather weather;
  private final Broken broken;
  private final Map<UUID, Instant> busyUntil = new HashMap<>();

  ShakyRuns(
      MemoryRuns store,
      Turns turns,
      Turns.Machine machine,
      Random random,
      Weather weather,
      Broken broken) {
    this.store = store;
    this.turns = turns;
    this.machine = machine;
    this.random = random;
    this.weather = weather;
    this.broken = broken;
  }

  private final class Pending extends CompletableFuture<Outcome> {
    @Override
    public Outcome get() throws InterruptedException, ExecutionException {
      turns.await(this::isDone, null);
      return super.get();
    }
  }

  private <T> T call(Supplier<T> work) {
    turns.yield();
    if (machine.dead()) {
      throw new Turns.Killed();
    }
    boolean away = weather.awayUntil().isAfter(turns.instant());
    boolean fails = random.nextInt(1000) < weather.faults();
    if (away || fails && random.nextBoolean()) {
      throw new IllegalStateException("the database is away");
    }
    T answer = work.get();
    turns.yield();
    if (fails) {
      throw new IllegalStateException("the connection died, who knows what happened");
    }
    return answer;
  }

  @Override
  public CompletableFuture<Outcome> write(RunWrite wanted) {
    if (machine.dead()) {
      throw new Turns.Killed();
    }
    RunWrite write = broken.changed(wanted);
    Pending outcome = new Pending();
    boolean fails = random.nextInt(1000) < weather.faults();
    if (broken == Broken.ACTS_BEFORE_IT_WRITES) {
      outcome.complete(Outcome.WRITTEN);
      turns.at(turns.instant().plusMillis(random.nextInt(50)), () -> store.apply(write));
    } else if (fails && random.nextInt(8) == 0) {
      refuse(outcome);
    } else {
      Instant at = turns.instant().plusMillis(random.nextInt(10));
      turns.at(at, () -> commit(write, outcome, fails));
    }
    return outcome;
  }

  private void refuse(Pending outcome) {
    RuntimeException why = new IllegalStateException("not a passing fault");
    outcome.completeExceptionally(
        random.nextBoolean() ? why : new RefusedWriteException("it is too large", why));
  }

  private void commit(RunWrite write, Pending outcome, boolean unknown) {
    Instant away = weather.awayUntil();
    if (machine.dead() && random.nextBoolean()) {
      return;
    }
    if (away.isAfter(turns.instant())) {
      turns.at(away.plusMillis(random.nextInt(2000)), () -> again(write, outcome));
      return;
    }
    Outcome answer = store.apply(write);
    weather.written(write);
    if (unknown) {
      Instant later = turns.instant().plusMillis(random.nextInt(40_000));
      turns.at(later, () -> again(write, outcome));
    } else if (answer == Outcome.WRITTEN || broken != Broken.WORKERS_STAY) {
      outcome.complete(answer);
    }
  }

  private void again(RunWrite write, Pending outcome) {
    if (!machine.dead()) {
      outcome.complete(store.applyAgain(write));
    }
  }

  @Override
  public void insert(Collection<NewRun> runs) {
    call(
        () -> {
          store.insert(runs);
          return runs;
        });
  }

  @Override
  public List<ClaimedRun> claim(Owner owner, int max, Instant now, Duration lease, Bounds bounds) {
    return call(() -> store.claim(owner, max, now, lease, bounds));
  }

  @Override
  public DefinitionSnapshot definition(String hash) {
    return call(() -> store.definition(hash));
  }

  /** Whether a machine writes to the run just now, or froze while it did. */
  private boolean busy(UUID run) {
    if (random.nextInt(1000) < weather.faults()) {
      busyUntil.put(run, turns.instant().plusMillis(random.nextInt(LONGEST_BUSY)));
    }
    return busyUntil.getOrDefault(run, Instant.MIN).isAfter(turns.instant());
  }

  /** Those that are busy and held, and so stay as they are; they are taken from the others. */
  private Map<UUID, Held> left(Owner owner, Map<UUID, Long> epochs) {
    Map<UUID, Held> left = new TreeMap<>();
    for (UUID run : List.copyOf(epochs.keySet())) {
      if (busy(run)) {
        store
            .held(run, epochs.remove(run), owner)
            .ifPresent(row -> left.put(run, MemoryRuns.held(row, Lease.AS_BEFORE)));
      }
    }
    return left;
  }

  @Override
  public Map<UUID, Held> heartbeat(Owner owner, Map<UUID, Long> epochs, Instant leaseUntil) {
    return call(
        () -> {
          Map<UUID, Long> free = new TreeMap<>(epochs);
          Map<UUID, Held> answer = left(owner, free);
          answer.putAll(store.heartbeat(owner, free, leaseUntil));
          return answer;
        });
  }

  @Override
  public Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
    return call(
        () -> {
          Map<UUID, Long> free = new TreeMap<>(epochs);
          Set<UUID> left = left(owner, free).keySet();
          store.abandon(owner, free, claimableAt);
          return left;
        });
  }

  @Override
  public int disown(Owner owner, Set<UUID> held, Instant now) {
    return call(() -> store.disown(owner, held, now));
  }

  @Override
  public int release(Owner successor, Instant now) {
    return call(() -> store.release(successor, now));
  }

  @Override
  public Optional<Instant> nextDue(Owner owner) {
    return call(() -> store.nextDue(owner));
  }

  @Override
  public List<LinkedRun> madeBy(UUID run) {
    return call(() -> store.madeBy(run));
  }

  @Override
  public void signal(UUID run, Instant now) {
    call(
        () -> {
          store.signal(run, now);
          return true;
        });
  }

  @Override
  public CancelAnswer cancel(UUID run, Cancel how, Instant now) {
    return call(() -> store.cancel(run, how, now));
  }
}
