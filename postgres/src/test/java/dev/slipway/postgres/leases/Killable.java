package dev.slipway.postgres.leases;

import dev.slipway.engine.threads.Threads;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** Threads that end at once, as those of a killed process do: nothing is given back. */
final class Killable implements Threads {
  private final List<Thread> started = new CopyOnWriteArrayList<>();

  void kill() {
    started.forEach(Thread::interrupt);
  }

  private Thread started(Thread thread) {
    started.add(thread);
    return thread;
  }

  @Override
  public Thread start(String name, Runnable work) {
    return started(OF_MACHINE.start(name, work));
  }

  @Override
  public Thread attend(String name, Runnable work) {
    return started(OF_MACHINE.attend(name, work));
  }

  @Override
  public <T> BlockingQueue<T> mailbox() {
    return OF_MACHINE.mailbox();
  }

  @Override
  public Semaphore permits(int free) {
    return OF_MACHINE.permits(free);
  }
}
