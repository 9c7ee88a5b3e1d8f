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

/**
 * The heartbeat's own connection. Its statements never wait for a lock, so a replica renews its
 * leases also when the pool is exhausted or a frozen transaction holds rows of its runs.
 */
final class LeaseConnection implements AutoCloseable {
  /** Most who write to a run have done so in a moment. */
  private static final Duration MOMENT = Duration.ofMillis(20);

  private static final int MOMENTS = 5;

  private final OwnSession session;

  LeaseConnection(Database.Address address) {
    this.session = new OwnSession(address, "slipway heartbeat", GroupCommit.PLANS);
  }

  /** A run whose row stays locked by another transaction keeps the lease that it has. */
  Map<UUID, Held> prolong(Owner owner, Map<UUID, Long> epochs, Instant until) {
    Map<UUID, Held> answer = new HashMap<>();
    Map<UUID, Long> left = new HashMap<>(epochs);
    for (int moment = 0; !left.isEmpty(); moment++) {
      answer.putAll(session.ask(h -> RunLeases.prolong(h, owner, left, until)));
      left.keySet().removeAll(answer.keySet());
      if (left.isEmpty()) {
        break;
      }
      Map<UUID, Held> busy = session.ask(h -> RunLeases.held(h, owner, left));
      left.keySet().retainAll(busy.keySet());
      if (moment == MOMENTS) {
        answer.putAll(busy);
        break;
      }
      pause();
    }
    return answer;
  }

  /** Answers the runs that were not given back because another transaction locks their rows. */
  Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
    session.ask(h -> RunLeases.abandon(h, owner, epochs, claimableAt));
    return session.ask(h -> RunLeases.held(h, owner, epochs)).keySet();
  }

  int disown(Owner owner, Set<UUID> held, Instant now) {
    return session.ask(h -> RunLeases.disown(h, owner, held, now));
  }

  private static void pause() {
    try {
      Thread.sleep(MOMENT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
