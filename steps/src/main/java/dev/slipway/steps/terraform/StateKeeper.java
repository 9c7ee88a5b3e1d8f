package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.ModuleStates;
import dev.slipway.engine.execute.ModuleStates.Written;
import dev.slipway.engine.execute.StepLog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the state whenever the program has written it, so that a crash loses at most the last
 * moment's changes. Uses a thread of its own: the thread that waits for the program may be
 * interrupted, which would break the database connection during a write.
 */
final class StateKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(StateKeeper.class);
  private static final Duration LOOK = Duration.ofMillis(250);

  /** How long to retry storing the last state while the database is unavailable. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** How the keeping ended. */
  enum Kept {
    ALL,
    /** Another step holds the lock; what this step created is not in the state. */
    LOST,
    /** The database did not accept the last state. */
    NOT_SAVED
  }

  /** What to do with the workspace at the end. */
  enum Leave {
    RELEASE,
    FORGET
  }

  private final ModuleStates states;
  private final ModuleStates.Lock lock;
  private final InstantSource clock;
  private final StepLog log;
  private @Nullable Path file;
  private byte @Nullable [] last;
  private @Nullable Thread watching;
  private volatile boolean closing;
  private volatile Kept kept = Kept.ALL;

  /**
   * An earlier attempt to release may have succeeded without an answer: then a missing lock is no
   * error.
   */
  private boolean mayBeLeft;

  StateKeeper(ModuleStates states, ModuleStates.Lock lock, InstantSource clock, StepLog log) {
    this.states = states;
    this.lock = lock;
    this.clock = clock;
    this.log = log;
  }

  /** Stores the file whenever it changes; calls {@code onLost} when the lock is lost. */
  void watch(Path state, Optional<byte[]> known, Runnable onLost) {
    file = state;
    last = known.orElse(null);
    watching = Thread.ofVirtual().name("state " + lock.key()).start(() -> storeUntilClosed(onLost));
  }

  private void storeUntilClosed(Runnable onLost) {
    while (!closing && kept == Kept.ALL) {
      try {
        store();
      } catch (RuntimeException | Error e) {
        LOG.warn("the state of {} cannot be stored yet", lock.key(), e);
      }
      if (kept == Kept.LOST) {
        onLost.run();
      } else {
        pause();
      }
    }
  }

  private synchronized void pause() {
    try {
      if (!closing) {
        wait(LOOK.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void store() {
    if (file == null) {
      return;
    }
    Optional<byte[]> now = StateFile.read(file);
    if (now.isEmpty() || Arrays.equals(now.get(), last)) {
      return;
    }
    if (states.write(lock, now.get(), clock.instant()) == Written.REFUSED) {
      lost();
    }
    last = now.get();
  }

  private void lost() {
    kept = Kept.LOST;
    log.line(StepLog.Stream.NOTE, "the lock of the state was lost");
  }

  /** Stores the last state and releases the lock; interrupts do not stop it. */
  Kept close(Leave leave) {
    synchronized (this) {
      closing = true;
      notifyAll();
    }
    Thread last = Thread.ofVirtual().start(() -> finishOrTell(leave));
    boolean interrupted = false;
    while (last.isAlive()) {
      try {
        last.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return kept;
  }

  /** Reports a state as not stored if an {@link Error} ended the attempt. */
  private void finishOrTell(Leave leave) {
    try {
      finish(leave);
    } catch (RuntimeException | Error e) {
      LOG.error("the last state of {} cannot be stored", lock.key(), e);
      kept = Kept.NOT_SAVED;
    }
  }

  private void finish(Leave leave) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    try {
      if (watching != null) {
        watching.join();
      }
      while (kept == Kept.ALL && !finished(leave)) {
        if (System.nanoTime() > until) {
          kept = Kept.NOT_SAVED;
        }
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(
          "the thread that saves the state was interrupted, which no code does", e);
    }
  }

  private boolean finished(Leave leave) {
    try {
      store();
      boolean ours =
          kept == Kept.ALL
              && switch (leave) {
                case RELEASE -> states.release(lock);
                case FORGET -> states.forget(lock);
              };
      if (!ours && kept == Kept.ALL && !mayBeLeft) {
        lost();
      }
      return true;
    } catch (RuntimeException e) {
      mayBeLeft = true;
      LOG.warn("the last state of {} cannot be stored yet: {}", lock.key(), e.getMessage());
      return false;
    }
  }
}
