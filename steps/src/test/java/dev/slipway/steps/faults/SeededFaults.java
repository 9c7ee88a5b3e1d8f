package dev.slipway.steps.faults;

import dev.slipway.testbed.PostgresProxy;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Says of each call of each method whether it fails, and how: by the seed, the name of the method
 * and how often it was called. Stands around any interface, so that no method can be forgotten, and
 * in front of the database, where it cuts the connection that is just committing.
 */
final class SeededFaults implements PostgresProxy.CommitWatch {
  private static final int THOUSAND = 1000;

  /** What goes wrong. */
  enum Fault {
    NONE,
    /** Nothing was done. */
    BEFORE,
    /** It was done, and whoever asked for it does not know. */
    AFTER
  }

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
  private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
  private volatile boolean calm;
  private volatile boolean away;

  SeededFaults(long seed, String where, int inThousand) {
    this.seed = seed;
    this.where = where;
    this.inThousand = inThousand;
  }

  /** From now on nothing fails. */
  void calm() {
    calm = true;
  }

  /** From now on every call fails, until the database is back; what is written is held so long. */
  void goAway() {
    struck.add(where + ": the database goes away");
    away = true;
  }

  /** The database is back, and gets what was held. */
  void comeBack() {
    away = false;
    for (Runnable late = held.poll(); late != null; late = held.poll()) {
      late.run();
    }
  }

  /** What has failed so far. */
  List<String> struck() {
    return struck;
  }

  private Fault next(String what) {
    int number = calls.computeIfAbsent(what, w -> new AtomicInteger()).incrementAndGet();
    SplittableRandom dice =
        new SplittableRandom(seed * 1_000_003 + (where + " " + what).hashCode() * 31L + number);
    if (away) {
      return Fault.BEFORE;
    }
    if (calm || dice.nextInt(THOUSAND) >= inThousand) {
      return Fault.NONE;
    }
    Fault fault = dice.nextBoolean() ? Fault.BEFORE : Fault.AFTER;
    struck.add("%s: %s #%d fails %s".formatted(where, what, number, fault));
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
    Fault fault = next(method.getName());
    boolean later = CompletableFuture.class.isAssignableFrom(method.getReturnType());
    if (away && later) {
      return held(store, method, arguments);
    }
    Struck struck = new Struck(method.getName() + " fails " + fault);
    if (fault == Fault.BEFORE) {
      if (later) {
        return CompletableFuture.failedFuture(struck);
      }
      throw struck;
    }
    Object answer = invoke(store, method, arguments);
    if (fault == Fault.NONE) {
      return answer;
    }
    if (answer instanceof CompletableFuture<?> future) {
      return future.thenCompose(outcome -> CompletableFuture.failedFuture(struck));
    }
    throw struck;
  }

  /** As a writer that waits for its database. */
  private CompletableFuture<Object> held(Object store, Method method, Object[] arguments) {
    CompletableFuture<Object> outcome = new CompletableFuture<>();
    held.add(
        () -> {
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
        });
    if (!away) {
      comeBack();
    }
    return outcome;
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
    Fault fault = next("commit");
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
