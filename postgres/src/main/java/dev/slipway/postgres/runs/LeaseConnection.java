package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RunStore.Held;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.OwnSession;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.HandleCallback;

/**
 * The connection of the heartbeat. It is shared with nobody and never waits for a lock: neither
 * those who use up all other connections nor those who freeze in the middle of a transaction keep a
 * healthy replica from prolonging its leases.
 */
final class LeaseConnection implements AutoCloseable {
  /** Most who write to a run have done so in a moment. */
  private static final Duration MOMENT = Duration.ofMillis(20);

  private static final int MOMENTS = 5;

  private final OwnSession session;

  LeaseConnection(Database.Address address) {
    this.session = new OwnSession(address, "slipway heartbeat", GroupCommit.PLANS);
  }

  /** Those that somebody writes to for longer than some moments keep the lease that they have. */
  Map<UUID, Held> prolong(Owner owner, Map<UUID, Long> epochs, Instant until) {
    Map<UUID, Held> answer = new HashMap<>();
    Map<UUID, Long> left = new HashMap<>(epochs);
    for (int moment = 0; !left.isEmpty(); moment++) {
      answer.putAll(ask(h -> RunLeases.prolong(h, owner, left, until)));
      left.keySet().removeAll(answer.keySet());
      if (left.isEmpty()) {
        break;
      }
      Map<UUID, Held> busy = ask(h -> RunLeases.held(h, owner, left));
      left.keySet().retainAll(busy.keySet());
      if (moment == MOMENTS) {
        answer.putAll(busy);
        break;
      }
      pause();
    }
    return answer;
  }

  /** Those that could not be given back because somebody writes to them. */
  Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
    ask(h -> RunLeases.abandon(h, owner, epochs, claimableAt));
    return ask(h -> RunLeases.held(h, owner, epochs)).keySet();
  }

  int disown(Owner owner, Set<UUID> held, Instant now) {
    return ask(h -> RunLeases.disown(h, owner, held, now));
  }

  private static void pause() {
    try {
      Thread.sleep(MOMENT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T ask(HandleCallback<T, RuntimeException> question) {
    return session.ask(question);
  }

  @Override
  public void close() {
    session.close();
  }
}
