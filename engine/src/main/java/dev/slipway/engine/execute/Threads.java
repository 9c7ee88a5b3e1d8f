package dev.slipway.engine.execute;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * What the engine runs on and where it waits: every thread it starts and every place where one of
 * them waits for another comes from here. A test that hands out its own decides who goes on next,
 * and so can play the same run of events again.
 */
public interface Threads {
  /** Starts a thread for work that comes and goes: a run, a step. */
  Thread start(String name, Runnable work);

  /** Starts a thread that stays as long as the engine does. */
  Thread attend(String name, Runnable work);

  /** Where one thread waits for what others say. */
  <T> BlockingQueue<T> mailbox();

  /** Where threads wait for room, in the order in which they came. */
  Semaphore permits(int free);

  /** Those of the machine. */
  Threads OF_MACHINE =
      new Threads() {
        @Override
        public Thread start(String name, Runnable work) {
          return Thread.ofVirtual().name(name).start(work);
        }

        @Override
        public Thread attend(String name, Runnable work) {
          return Thread.ofPlatform().daemon().name(name).start(work);
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
