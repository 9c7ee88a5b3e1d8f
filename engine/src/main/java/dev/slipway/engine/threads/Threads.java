package dev.slipway.engine.threads;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * Source of every thread, queue and semaphore of the engine. A test with its own implementation
 * decides which thread continues next, and so can repeat a schedule.
 */
public interface Threads {
  /**
   * Starts a thread for work that comes and goes: a run, a step. The work handles what concerns its
   * own object; a Throwable that leaves it ends the replica.
   */
  Thread start(String name, Runnable work);

  /**
   * Starts a thread that stays as long as the engine does. A Throwable that leaves its work ends
   * the replica, and so does a return before the replica stops.
   */
  Thread attend(String name, Runnable work);

  /** A queue that one thread reads and other threads write to. */
  <T> BlockingQueue<T> mailbox();

  /** Where threads wait for room, in the order in which they came. */
  Semaphore permits(int free);

  /** Threads of the machine that nothing supervises: what ends one is in the log. */
  Threads OF_MACHINE = supervised(Supervision.logging());

  /** Threads of the machine whose end is reported to the supervision. */
  static Threads supervised(Supervision supervision) {
    return new Threads() {
      @Override
      public Thread start(String name, Runnable work) {
        return Thread.ofVirtual().name(name).start(supervision.passing(name, work));
      }

      @Override
      public Thread attend(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(supervision.lasting(name, work));
      }

      @Override
      public <T> BlockingQueue<T> mailbox() {
        return new LinkedBlockingQueue<>();
      }

      @Override
      public Semaphore permits(int free) {
        return new Semaphore(free, true);
      }
    };
  }
}
