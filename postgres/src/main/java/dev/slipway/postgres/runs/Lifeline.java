package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RunStore.Held;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.postgres.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.postgres.PostgresPlugin;

/**
 * The connection of the heartbeat. It is shared with nobody and never waits for a lock: neither
 * those who use up all other connections nor those who freeze in the middle of a transaction keep a
 * healthy replica from prolonging its leases.
 */
final class Lifeline implements AutoCloseable {
  /** Then it is dead, and there is time for another one. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

  /** Most who write to a run have done so in a moment. */
  private static final Duration MOMENT = Duration.ofMillis(20);

  private static final int MOMENTS = 5;

  private final OwnConnection own;
  private final Jdbi jdbi;
  private volatile boolean closed;

  Lifeline(Database.Address address) {
    this.own =
        new OwnConnection(
            address,
            "slipway heartbeat",
            GroupCommit.PLANS,
            OwnConnection.Work.ONE_BY_ONE,
            LONGEST_ANSWER);
    this.jdbi = Jdbi.create(kept(own)).installPlugin(new PostgresPlugin());
  }

  private static ConnectionFactory kept(OwnConnection own) {
    return new ConnectionFactory() {
      @Override
      public Connection openConnection() throws SQLException {
        return own.open();
      }

      @Override
      public void closeConnection(Connection connection) {}
    };
  }

  /** Those that somebody writes to for longer than some moments keep the lease that they have. */
  Map<UUID, Held> prolong(Owner owner, Map<UUID, Long> epochs, Instant until) {
    Map<UUID, Held> answer = new HashMap<>();
    Map<UUID, Long> left = new HashMap<>(epochs);
    for (int moment = 0; !left.isEmpty(); moment++) {
      answer.putAll(ask(h -> Leases.prolong(h, owner, left, until)));
      left.keySet().removeAll(answer.keySet());
      if (left.isEmpty()) {
        break;
      }
      Map<UUID, Held> busy = ask(h -> Leases.held(h, owner, left));
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
    ask(h -> Leases.abandon(h, owner, epochs, claimableAt));
    return ask(h -> Leases.held(h, owner, epochs)).keySet();
  }

  int disown(Owner owner, Set<UUID> held, Instant now) {
    return ask(h -> Leases.disown(h, owner, held, now));
  }

  private static void pause() {
    try {
      Thread.sleep(MOMENT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Once more when the connection was an old one: what is asked for here may be done twice. */
  private synchronized <T> T ask(HandleCallback<T, RuntimeException> question) {
    boolean used = own.used();
    try {
      return once(question);
    } catch (RuntimeException e) {
      if (closed || !used) {
        throw e;
      }
      return once(question);
    }
  }

  private <T> T once(HandleCallback<T, RuntimeException> question) {
    if (closed) {
      throw new IllegalStateException("the run store is closed");
    }
    try {
      return jdbi.withHandle(question);
    } catch (RuntimeException e) {
      own.close();
      throw e;
    } finally {
      if (closed) {
        own.close();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    own.close();
  }
}
