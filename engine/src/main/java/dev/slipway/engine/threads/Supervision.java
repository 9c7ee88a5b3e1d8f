package dev.slipway.engine.threads;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the threads of one replica. The first one that dies is reported once: a replica whose
 * heartbeat or writer is gone looks alive, holds its leases and does no work, so it has to end. A
 * thread that returns though the replica is not stopping counts as dead too.
 */
public final class Supervision {
  private static final Logger LOG = LoggerFactory.getLogger(Supervision.class);

  /** A thread that the engine depends on, and what ended it. */
  public record Death(String thread, Throwable cause) {
    /** In one line, for a health check. */
    public String text() {
      return "thread '" + thread + "' died: " + cause;
    }
  }

  private final Runnable onDeath;
  private final AtomicReference<@Nullable Death> first = new AtomicReference<>();
  private final Set<String> lasting = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  /**
   * Calls {@code onDeath} once, on the dying thread, when {@link #death()} already answers. The
   * cause may be a lack of memory: it should allocate nothing.
   */
  public Supervision(Runnable onDeath) {
    this.onDeath = onDeath;
  }

  /** One that writes deaths into the log and does nothing else. */
  static Supervision logging() {
    Supervision supervision = new Supervision(() -> {});
    supervision.stopping();
    return supervision;
  }

  /** The first thread that died, once one has. */
  public Optional<Death> death() {
    return Optional.ofNullable(first.get());
  }

  /** The threads that live as long as the replica, by name. */
  public Set<String> threads() {
    return new TreeSet<>(lasting);
  }

  /** From now on threads may return. */
  public void stopping() {
    stopping = true;
  }

  /** Work that comes and goes. */
  Runnable passing(String name, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (Throwable t) {
        died(name, t);
      }
    };
  }

  /** Work that only ends with the replica. */
  Runnable lasting(String name, Runnable work) {
    lasting.add(name);
    return () -> untilStopped(name, work);
  }

  private void untilStopped(String name, Runnable work) {
    try {
      work.run();
      if (!stopping) {
        died(name, new IllegalStateException("it returned while the replica was working"));
      }
    } catch (Throwable t) {
      died(name, t);
    } finally {
      lasting.remove(name);
    }
  }

  private void died(String name, Throwable cause) {
    boolean earliest = false;
    try {
      earliest = first.compareAndSet(null, new Death(name, cause));
      LOG.error("thread '{}' died; the replica cannot work without it", name, cause);
    } catch (Throwable again) {
      // Without memory not even this could be said; the replica ends all the same.
      earliest = true;
    }
    if (earliest) {
      onDeath.run();
    }
  }
}
