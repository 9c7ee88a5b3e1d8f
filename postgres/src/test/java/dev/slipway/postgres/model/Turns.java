package dev.slipway.postgres.model;

import dev.slipway.engine.threads.Threads;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take turns: one goes on at a time, until it waits, and a seeded choice says which is
 * next. Time stands still while any thread can go on, and then jumps to whatever is due first. The
 * same seed is the same schedule.
 */
final class Turns implements InstantSource {
  static final Instant START = Instant.parse("2030-01-01T12:00:00Z");

  /** The machine of a thread lost its power: it does nothing more. */
  static final class Killed extends Error {
    @Serial private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false);
    }
  }

  /** One machine: its threads live, stand still and die together. */
  final class Machine implements Threads {
    final String name;
    private boolean dead;
    private Instant frozenUntil = Instant.MIN;
    private long frozenSince = -1;
    private boolean deaf;

    Machine(String name) {
      this.name = name;
    }

    void freeze(Instant until) {
      if (!frozenUntil.isAfter(now)) {
        frozenSince = moment++;
      }
      frozenUntil = until;
    }

    /** From now on its threads cannot be interrupted. */
    void deafen() {
      deaf = true;
    }

    void die() {
      dead = true;
    }

    boolean dead() {
      return dead;
    }

    /** Neither dead nor standing still. */
    boolean moves() {
      return !dead && !frozenUntil.isAfter(now);
    }

    /** It began to stand still after that moment, and does so or woke up not longer ago. */
    boolean stoodStill(long after, Duration ago) {
      return frozenSince > after && !frozenUntil.plus(ago).isBefore(now);
    }

    /** It woke up, and no time has passed since. */
    boolean justWoke() {
      return frozenUntil.equals(now);
    }

    @Override
    public Thread start(String thread, Runnable work) {
      return start(new Task(this, thread, work));
    }

    @Override
    public Thread attend(String thread, Runnable work) {
      Task task = new Task(this, thread, work);
      task.attends = true;
      return start(task);
    }

    private Thread start(Task task) {
      tasks.add(task);
      task.thread.start();
      return new Handle(task);
    }

    @Override
    public <T> BlockingQueue<T> mailbox() {
      return new Mailbox<>();
    }

    @Override
    public Semaphore permits(int free) {
      return new Permits(free);
    }
  }

  private final class Task {
    final Machine machine;
    final String name;
    final Thread thread;
    final Semaphore turn = new Semaphore(0);
    BooleanSupplier ready = () -> true;
    @Nullable Instant until;
    boolean ended;
    boolean interrupted;
    boolean heeds;
    boolean attends;

    Task(Machine machine, String name, Runnable work) {
      this.machine = machine;
      this.name = name;
      this.thread =
          Thread.ofVirtual()
              .name(name)
              .unstarted(
                  () -> {
                    turn.acquireUninterruptibly();
                    try {
                      if (!machine.dead) {
                        work.run();
                      }
                    } catch (Killed e) {
                      // as if it had never been
                    } catch (RuntimeException | Error e) {
                      broken.add(e);
                    } finally {
                      ended = true;
                      back.release();
                    }
                  });
    }

    boolean canGoOn() {
      return machine.dead
          || machine.moves()
              && (ready.getAsBoolean()
                  || interrupted && heeds
                  || until != null && !until.isAfter(now));
    }
  }

  /** What others hold of a thread: it can be interrupted, but only when its turn comes. */
  private static final class Handle extends Thread {
    private final Task task;

    Handle(Task task) {
      this.task = task;
    }

    @Override
    public void interrupt() {
      task.interrupted = !task.machine.deaf;
    }
  }

  private final class Mailbox<T> extends LinkedBlockingQueue<T> {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public T take() throws InterruptedException {
      await(() -> !isEmpty(), null);
      return poll();
    }
  }

  private final class Permits extends Semaphore {
    @Serial private static final long serialVersionUID = 1L;

    Permits(int free) {
      super(free);
    }

    @Override
    public void acquire() throws InterruptedException {
      do {
        await(() -> availablePermits() > 0, null);
      } while (!tryAcquire());
    }

    @Override
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
      Instant limit = now.plus(Duration.of(timeout, unit.toChronoUnit()));
      await(() -> availablePermits() > 0, limit);
      return tryAcquire();
    }
  }

  private record Later(long given, Runnable event) {}

  private record Key(Instant at, long number) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final Random random;
  private final List<Task> tasks = new ArrayList<>();
  private final TreeMap<Key, Runnable> events = new TreeMap<>();
  private final List<Later> later = new ArrayList<>();
  private final Semaphore back = new Semaphore(0);
  private final List<Throwable> broken = new ArrayList<>();
  private @Nullable Task current;
  private Instant now = START;
  private long numbers;
  private long taken;
  private long given;
  private long moment;

  Turns(Random random) {
    this.random = random;
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** How many turns were taken. */
  long taken() {
    return taken;
  }

  /** Grows with everything that happens, also while time stands still. */
  long moment() {
    return moment;
  }

  /** What broke a thread. */
  List<Throwable> broken() {
    return broken;
  }

  /** At that time, between two turns. */
  void at(Instant time, Runnable event) {
    events.put(new Key(time.isBefore(now) ? now : time, numbers++), event);
  }

  /** When threads have taken so many more turns: in the middle of what they do. */
  void after(int turns, Runnable event) {
    later.add(new Later(given + turns, event));
  }

  /** Whether anything is still to happen by itself. */
  boolean planned() {
    return !events.isEmpty() || !later.isEmpty();
  }

  /** The threads of living machines that do something and are not there for good. */
  List<String> busy() {
    return tasks.stream().filter(t -> !t.attends && !t.machine.dead).map(t -> t.name).toList();
  }

  /** The thread whose turn it is waits until then, or until that holds, or it is interrupted. */
  void await(BooleanSupplier ready, @Nullable Instant until) throws InterruptedException {
    interrupted();
    pause(ready, until, true);
    interrupted();
  }

  private void interrupted() throws InterruptedException {
    if (current != null && current.interrupted) {
      current.interrupted = false;
      throw new InterruptedException();
    }
  }

  /** The same, but nothing wakes it earlier. */
  void pause(BooleanSupplier ready, @Nullable Instant until) {
    pause(ready, until, false);
  }

  private void pause(BooleanSupplier ready, @Nullable Instant until, boolean heeds) {
    Task me = current;
    if (me == null) {
      throw new IllegalStateException("only threads wait");
    }
    if (me.machine.dead) {
      throw new Killed();
    }
    me.ready = ready;
    me.until = until;
    me.heeds = heeds;
    back.release();
    me.turn.acquireUninterruptibly();
    if (me.machine.dead) {
      throw new Killed();
    }
  }

  /** Lets others go on first, if chance will have it so. */
  void yield() {
    if (current != null) {
      pause(() -> true, null);
    }
  }

  /** One thread goes on, or else time does; false when nothing will ever happen again. */
  boolean turn(Alarmed alarmed) {
    taken++;
    happen();
    alarmed.ring();
    List<Task> able = new ArrayList<>();
    for (Task task : tasks) {
      if (task.canGoOn()) {
        able.add(task);
      }
    }
    if (!able.isEmpty()) {
      give(able.get(random.nextInt(able.size())));
      return true;
    }
    Instant next = alarmed.next();
    if (!events.isEmpty() && events.firstKey().at().isBefore(next)) {
      next = events.firstKey().at();
    }
    for (Task task : tasks) {
      next = earlier(next, task);
    }
    if (next.equals(Instant.MAX)) {
      return false;
    }
    now = next.isBefore(now) ? now : next;
    return true;
  }

  private void happen() {
    while (!events.isEmpty() && !events.firstKey().at().isAfter(now)) {
      moment++;
      events.pollFirstEntry().getValue().run();
    }
    for (Later due : List.copyOf(later)) {
      if (due.given() <= given) {
        moment++;
        later.remove(due);
        due.event().run();
      }
    }
  }

  private Instant earlier(Instant next, Task task) {
    Instant due = task.until == null ? Instant.MAX : task.until;
    if (task.machine.frozenUntil.isAfter(now)) {
      due = task.machine.frozenUntil;
    }
    return due.isBefore(next) ? due : next;
  }

  private void give(Task task) {
    given++;
    moment++;
    current = task;
    task.turn.release();
    back.acquireUninterruptibly();
    current = null;
    if (task.ended) {
      tasks.remove(task);
    }
  }

  /** The alarms of all machines that move. */
  interface Alarmed {
    void ring();

    Instant next();
  }

  /** All machines die, so that no thread is left behind. */
  void end() {
    tasks.forEach(task -> task.machine.die());
    while (!tasks.isEmpty()) {
      give(tasks.getFirst());
    }
  }
}
