package dev.slipway.postgres.execution;

import dev.slipway.engine.threads.Threads;
import java.io.Serial;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** The threads of the machine; it can be seen which of them wait for a permit. */
final class SeenThreads implements Threads {
  private final List<Permits> permits = new CopyOnWriteArrayList<>();

  private static final class Permits extends Semaphore {
    @Serial private static final long serialVersionUID = 1L;

    Permits(int free) {
      super(free, true);
    }

    Collection<Thread> waiting() {
      return getQueuedThreads();
    }
  }

  /** Those with that name that wait for a permit now. */
  List<Thread> waiting(String name) {
    return permits.stream()
        .flatMap(p -> p.waiting().stream())
        .filter(t -> t.getName().equals(name))
        .toList();
  }

  @Override
  public Thread start(String name, Runnable work) {
    return OF_MACHINE.start(name, work);
  }

  @Override
  public Thread attend(String name, Runnable work) {
    return OF_MACHINE.attend(name, work);
  }

  @Override
  public <T> BlockingQueue<T> mailbox() {
    return OF_MACHINE.mailbox();
  }

  @Override
  public Semaphore permits(int free) {
    Permits made = new Permits(free);
    permits.add(made);
    return made;
  }
}
