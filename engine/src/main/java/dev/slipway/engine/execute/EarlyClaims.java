package dev.slipway.engine.execute;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Lets the transaction that makes runs claim them for this replica, so that their workers begin
 * when it has been committed and no second transaction has to find them. A replica that dies
 * between commit and {@link Reservation#take} leaves runs whose lease ends, as after any claim.
 *
 * <p>Refused while older runs wait in the queue, while a limit of all replicas counts executing
 * runs, while {@link ClaimFairness} would make this replica pause, and without room.
 */
public final class EarlyClaims {
  /** Of every run that is claimed by the transaction that makes it. */
  static final long EPOCH = 1;

  private final EngineContext context;
  private final IntSupplier held;
  private final Consumer<Arrival> employ;
  private final Map<Reservation, Integer> reserved = new ConcurrentHashMap<>();
  private volatile boolean open;

  EarlyClaims(EngineContext context, IntSupplier held, Consumer<Arrival> employ) {
    this.context = context;
    this.held = held;
    this.employ = employ;
  }

  /** Runs that were made and claimed by one transaction. */
  record Arrival(Set<UUID> ids, Supplier<List<ClaimedRun>> runs, Reservation room) {}

  /** The dispatcher has looked: nothing waits in the queue. */
  void queueIsEmpty() {
    open = true;
  }

  /** Something waits in the queue, or it is not known whether something does. */
  void queueMayHold() {
    open = false;
  }

  /** How many runs may arrive without a further claim. */
  int reserved() {
    return reserved.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Room for at most that many new runs; empty when they have to wait for a claim. */
  public synchronized Optional<Reservation> reserve(int runs) {
    Instant now = context.clock().instant();
    reserved
        .keySet()
        .removeIf(old -> old.leaseUntil().isBefore(now)); // no worker took or released it
    RunStore.Bounds bounds = context.bounds().get();
    int busy = held.getAsInt() + reserved();
    int others = context.store().others();
    if (!open || bounds.atOnce().isPresent() || !ClaimFairness.pause(busy, others).isZero()) {
      return Optional.empty();
    }
    int most =
        Math.min(
            runs, ClaimFairness.atMost(context.settings().runs() - busy, held.getAsInt(), others));
    if (most < 1) {
      return Optional.empty();
    }
    Reservation room =
        new Reservation(
            context.settings().owner(),
            most,
            now,
            now.plus(context.settings().lease()),
            bounds.longest());
    reserved.put(room, most);
    return Optional.of(room);
  }

  /** Room for so many runs, and what their rows say about the claim. */
  public final class Reservation {
    private final RunStore.Owner owner;
    private final int runs;
    private final Instant now;
    private final Instant leaseUntil;
    private final Optional<Duration> longest;

    private Reservation(
        RunStore.Owner owner,
        int runs,
        Instant now,
        Instant leaseUntil,
        Optional<Duration> longest) {
      this.owner = owner;
      this.runs = runs;
      this.now = now;
      this.leaseUntil = leaseUntil;
      this.longest = longest;
    }

    /** The owner of the claim. */
    public RunStore.Owner owner() {
      return owner;
    }

    /** How many runs it is for. */
    public int runs() {
      return runs;
    }

    /** When they are claimed. */
    public Instant now() {
      return now;
    }

    /** Until when they are this replica's. */
    public Instant leaseUntil() {
      return leaseUntil;
    }

    /** How long a run may take, whatever it says itself. */
    public Optional<Duration> longest() {
      return longest;
    }

    /** Their transaction has been committed: their workers begin with what {@code runs} reads. */
    public void take(Set<UUID> ids, Supplier<List<ClaimedRun>> runs) {
      employ.accept(new Arrival(ids, runs, this));
    }

    /** Their transaction was rolled back, or the runs are held. */
    public void release() {
      reserved.remove(this);
    }
  }
}
