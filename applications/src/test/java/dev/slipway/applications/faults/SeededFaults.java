package dev.slipway.applications.faults;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.testbed.PostgresProxy;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Says of each call of each method whether it fails, and how: by the seed, the name of the method
 * and how often it was called. Stands around any interface, so that no method can be forgotten, and
 * in front of the database, where it cuts the connection that is just committing. One call of each
 * method fails for certain, in the way that the seed says.
 */
final class SeededFaults implements PostgresProxy.CommitWatch {
  private static final int THOUSAND = 1000;
  private static final int PER_STATEMENT = 10;
  private static final int KINDS = 3;
  private static final int METHODS_FIRST = 3;
  private static final int STATEMENTS_FIRST = 25;

  /** What those methods of runs that write have in their transactions. */
  private static final Map<String, String> COMMITS =
      Map.of(
          "insert", "INSERT INTO runs",
          "claim", "epoch = r.epoch + 1",
          "heartbeat", "RETURNING r.id, r.cancel, r.signals",
          "abandon", "owner = NULL FROM free",
          "disown", "FROM unknown",
          "release", "split_part(owner",
          "write", "version = r.version + 1",
          "cancel", "cancel = CASE WHEN w.cancel IS NULL");

  /** What goes wrong. */
  enum Fault {
    NONE,
    /** Nothing was done. */
    BEFORE,
    /** The call took effect, and its caller gets an error. */
    AFTER,
    /** Its connection dies while it commits. */
    CUT
  }

  /** That it failed, and how. */
  record Strike(String what, Fault how) {}

  /** A call whose commit is to be cut on one side. */
  private static final class Cutting {
    final String method;
    final Fault side;
    volatile boolean done;

    Cutting(Method method, Fault side) {
      this.method = method.getName();
      this.side = side;
    }

    boolean concerns(PostgresProxy.Transaction transaction) {
      return transaction.statements().stream().anyMatch(s -> s.contains(COMMITS.get(method)));
    }
  }

  /** A call that waits until the database is back. */
  private record Held(Object argument, Runnable call) {}

  /** What a caller gets to see. */
  static final class Struck extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    Struck(String what) {
      super(what);
    }
  }

  private final long seed;
  private final String where;
  private final int inThousand;
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final Map<Long, Fault> commits = new ConcurrentHashMap<>();
  private final List<String> struck = new CopyOnWriteArrayList<>();
  private final Queue<Held> held = new ConcurrentLinkedQueue<>();
  private final Set<Strike> strikes = ConcurrentHashMap.newKeySet();
  private final Set<String> forced = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Cutting> cutting = new AtomicReference<>();
  private final int number;
  private volatile boolean calm;
  private volatile boolean over;
  private volatile boolean away;

  /** Of that replica. */
  SeededFaults(long seed, int replica, int inThousand) {
    this.seed = seed;
    this.where = "r" + replica;
    this.number = (int) Math.floorMod(seed * Stage.REPLICAS + replica, 2L * KINDS);
    this.inThousand = inThousand;
  }

  /** From now on nothing fails but for what has to fail once and did not yet. */
  void calm() {
    calm = true;
  }

  /** From now on nothing fails. */
  void end() {
    over = true;
  }

  /** From now on every call fails, until the database is back; what is written is held so long. */
  void goAway() {
    struck.add(where + ": the database goes away");
    away = true;
  }

  /** The database is back, and gets what was held. */
  void comeBack() {
    away = false;
    for (Held late = held.poll(); late != null; late = held.poll()) {
      late.call().run();
    }
  }

  /** The writes that wait until the database is back. */
  List<RunWrite> heldWrites() {
    return held.stream().map(Held::argument).map(RunWrite.class::cast).toList();
  }

  /** What has failed so far. */
  List<String> struck() {
    return struck;
  }

  /** What has failed in which way. */
  Set<Strike> strikes() {
    return Set.copyOf(strikes);
  }

  /** Whether this statement fails. */
  Fault ofStatement(String what) {
    Fault certain = number % 2 == 0 ? Fault.BEFORE : Fault.AFTER;
    return next(what, inThousand / PER_STATEMENT, certain, STATEMENTS_FIRST);
  }

  private Fault ofMethod(String what, Method method) {
    Fault certain = List.of(Fault.BEFORE, Fault.AFTER, Fault.CUT).get(number % KINDS);
    boolean read = certain == Fault.CUT && !writes(method);
    return next(what, inThousand, read ? Fault.BEFORE : certain, METHODS_FIRST);
  }

  /** Of the methods of runs, all but those that ask only, or whose loss costs nothing here. */
  static boolean writes(Method method) {
    return method.getDeclaringClass() == RunStore.class
        && !Set.of("definition", "nextDue", "others", "madeBy", "signal")
            .contains(method.getName());
  }

  private Fault next(String what, int rate, Fault certain, int first) {
    int count = calls.computeIfAbsent(what, w -> new AtomicInteger()).incrementAndGet();
    SplittableRandom dice =
        new SplittableRandom(seed * 1_000_003 + (where + " " + what).hashCode() * 31L + count);
    if (away) {
      return Fault.BEFORE;
    }
    if (over) {
      return Fault.NONE;
    }
    Fault fault = dice.nextBoolean() ? Fault.BEFORE : Fault.AFTER;
    boolean atOnce = number < 2 || certain == Fault.CUT;
    int due = atOnce ? 1 : 1 + (int) Math.floorMod(what.hashCode() + seed, (long) first);
    if (certain != Fault.NONE && count >= due && forced.add(what)) {
      fault = certain;
    } else if (calm || dice.nextInt(THOUSAND) >= rate) {
      return Fault.NONE;
    }
    struck.add("%s: %s #%d fails %s".formatted(where, what, count, fault));
    if (fault != Fault.CUT) {
      strikes.add(new Strike(what, fault));
    }
    return fault;
  }

  // ---------------------------------------------------------------- around a store

  <T> T around(Class<T> type, T store) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(store, method, arguments)));
  }

  private Object call(Object store, Method method, Object[] arguments) throws Throwable {
    String what = name(method);
    Fault fault = ofMethod(what, method);
    boolean later = CompletableFuture.class.isAssignableFrom(method.getReturnType());
    if (away && later) {
      return held(store, method, arguments);
    }
    Struck struck = new Struck(what + " fails " + fault);
    return switch (fault) {
      case NONE -> invoke(store, method, arguments);
      case CUT -> cut(store, method, arguments);
      case BEFORE -> {
        if (later) {
          yield CompletableFuture.failedFuture(struck);
        }
        throw struck;
      }
      case AFTER -> {
        if (invoke(store, method, arguments) instanceof CompletableFuture<?> future) {
          yield future.thenCompose(outcome -> CompletableFuture.failedFuture(struck));
        }
        throw struck;
      }
    };
  }

  /** As it is called among the faults. */
  static String name(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  /** Cuts its commit, or tries again with the next call if it made none. */
  private Object cut(Object store, Method method, Object[] arguments) throws Throwable {
    Cutting mine = new Cutting(method, number < KINDS ? Fault.BEFORE : Fault.AFTER);
    cutting.set(mine);
    Object answer = null;
    try {
      answer = invoke(store, method, arguments);
      return answer instanceof CompletableFuture<?> future
          ? future.whenComplete((outcome, failure) -> tried(mine, method))
          : answer;
    } finally {
      if (!(answer instanceof CompletableFuture<?>)) {
        tried(mine, method);
      }
    }
  }

  private void tried(Cutting mine, Method method) {
    cutting.compareAndSet(mine, null);
    if (mine.done) {
      strikes.add(new Strike(name(method), Fault.CUT));
    } else {
      forced.remove(name(method));
    }
  }

  /** As a writer that waits for its database. */
  private CompletableFuture<Object> held(Object store, Method method, Object[] arguments) {
    CompletableFuture<Object> outcome = new CompletableFuture<>();
    held.add(new Held(arguments[0], () -> invoke(store, method, arguments, outcome)));
    if (!away) {
      comeBack();
    }
    return outcome;
  }

  private static void invoke(
      Object store, Method method, Object[] arguments, CompletableFuture<Object> outcome) {
    try {
      ((CompletableFuture<?>) invoke(store, method, arguments))
          .whenComplete(
              (answer, failure) -> {
                if (failure == null) {
                  outcome.complete(answer);
                } else {
                  outcome.completeExceptionally(failure);
                }
              });
    } catch (Throwable e) {
      outcome.completeExceptionally(e);
    }
  }

  static Object invoke(Object store, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  // ---------------------------------------------------------------- in front of the database

  @Override
  public void before(PostgresProxy.Transaction transaction) {
    Cutting wanted = cutting.get();
    boolean cut =
        wanted != null && wanted.concerns(transaction) && cutting.compareAndSet(wanted, null);
    if (cut) {
      wanted.done = true;
    }
    Fault fault = cut ? wanted.side : next("commit", inThousand, Fault.NONE, 1);
    if (fault == Fault.BEFORE) {
      throw new PostgresProxy.Cut();
    }
    commits.put(transaction.number(), fault);
  }

  @Override
  public void after(PostgresProxy.Transaction transaction) {
    if (commits.remove(transaction.number()) == Fault.AFTER) {
      throw new PostgresProxy.Cut();
    }
  }
}
