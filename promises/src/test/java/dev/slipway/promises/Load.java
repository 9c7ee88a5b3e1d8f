package dev.slipway.promises;

import dev.slipway.promises.Fleet.Ship;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that deploy one application after the other through whichever replica can be asked, and
 * ask again with the same key until the request is answered as accepted.
 */
final class Load implements AutoCloseable {
  private final Fleet fleet;
  private final String name;
  private final Duration pause;
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<Thread> clients = new ArrayList<>();
  private final Queue<Client.Answer> refusals = new ConcurrentLinkedQueue<>();
  private final List<String> accepted = new ArrayList<>();
  private volatile boolean ending;

  Load(Fleet fleet, String name, int clients, Duration pause) {
    this.fleet = fleet;
    this.name = name;
    this.pause = pause;
    for (int i = 0; i < clients; i++) {
      this.clients.add(Thread.ofVirtual().name("client").start(this::deploy));
    }
  }

  private void deploy() {
    while (!ending) {
      int number = numbers.incrementAndGet();
      String application = name + "-" + number;
      for (int again = 0; !tried(application, number + again); again++) {
        rest();
      }
      synchronized (accepted) {
        accepted.add(application);
      }
      rest();
    }
  }

  private boolean tried(String application, int turn) {
    List<Ship> afloat = fleet.afloat();
    if (afloat.isEmpty()) {
      return false;
    }
    Ship ship = afloat.get(turn % afloat.size());
    try {
      Client.Answer answer =
          new Client(() -> ship.replica)
              .post(
                  "/api/applications",
                  "application/yaml",
                  Yard.score(application, "crate"),
                  application + "-deploy");
      if (answer.status() / 100 != 2) {
        refusals.add(answer);
      }
      return answer.status() / 100 == 2;
    } catch (IOException e) {
      return false;
    }
  }

  private void rest() {
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What was accepted until now. */
  List<String> accepted() {
    synchronized (accepted) {
      return List.copyOf(accepted);
    }
  }

  /** Answers that were neither yes nor silence. */
  List<Client.Answer> refusals() {
    return List.copyOf(refusals);
  }

  /** Begins nothing more, and waits until everything that was begun is accepted. */
  @Override
  public void close() {
    ending = true;
    for (Thread client : clients) {
      try {
        if (!client.join(Duration.ofSeconds(60))) {
          throw new AssertionError("a deployment is not accepted: " + refusals);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
