package dev.slipway.postgres.environments;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Signals;
import dev.slipway.postgres.reconcile.Wake;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends environments that have a time to live: says so one hour before, then tears down what is
 * inside. Also removes environments whose deletion waits for what is inside. Key = environment; the
 * turn of one key more finds those that end, and ends approvals of planned runs that no approver
 * answered in time.
 */
public final class EnvironmentReconciler implements Reconciler {
  static final String KIND = "environment";

  /** The key that finds the others; no environment has that name. */
  private static final String ALL = "*";

  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentReconciler.class);

  private static final String SOURCE = "environments";

  private static final Duration NOTICE = Duration.ofHours(1);
  private static final int WIDTH = 2;

  private final InstantSource clock;
  private final Duration pollInterval;
  private final PlannedRuns planned;
  private final EnvironmentStore environments;
  private final List<Occupant> occupants;

  /** Looks for environments that end once each poll interval. */
  public EnvironmentReconciler(
      EnvironmentStore.Parts parts,
      List<Occupant> occupants,
      PlannedRuns planned,
      Duration pollInterval) {
    this.clock = parts.clock();
    this.pollInterval = pollInterval;
    this.planned = planned;
    this.environments = new EnvironmentStore(parts, occupants);
    this.occupants = List.copyOf(occupants);
  }

  /** Asks for the turn that finds what ends: once for each start of a replica. */
  public static void begin(Handle tx, Instant now) {
    Signals.add(tx, KIND, List.of(ALL), now);
  }

  /** An object has left the environment; if it is being deleted, it may have been the last one. */
  public static void left(Handle tx, String environment, Instant now) {
    Optional<EnvironmentRow> row = EnvironmentRow.find(tx, environment);
    if (row.filter(EnvironmentRow::deleting).isPresent()) {
      Signals.add(tx, KIND, List.of(environment), now);
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public int width() {
    return WIDTH;
  }

  @Override
  public Next reconcile(Handle tx, String key, Wake wake) {
    Instant now = clock.instant();
    if (key.equals(ALL)) {
      planned.expire(now);
      Signals.add(tx, KIND, ending(tx, now), now);
      return new Next.At(now.plus(pollInterval));
    }
    EnvironmentRow.find(tx, key).ifPresent(row -> end(tx, row, now));
    return Next.DONE; // found again until it has ended
  }

  private static List<String> ending(Handle tx, Instant now) {
    return tx.createQuery(
            """
            SELECT name FROM environments
             WHERE deleting OR expires_at <= :now OR expires_at <= :soon AND NOT expiry_announced
             ORDER BY name
            """)
        .bind("now", now)
        .bind("soon", now.plus(NOTICE))
        .mapTo(String.class)
        .list();
  }

  /**
   * What is inside is torn down after the commit, in a transaction for each object, so that one
   * that cannot be torn down leaves the others their turn.
   */
  private void end(Handle tx, EnvironmentRow environment, Instant now) {
    Instant expires = environment.expiresAt();
    if (!environment.expiryAnnounced() && expires != null && !expires.isAfter(now.plus(NOTICE))) {
      announce(tx, environment, expires);
    }
    if (environment.deleting()) {
      tx.afterCommit(
          () -> {
            tearDown(environment, Caller.system("slipway"));
            removeEmpty(environment.name());
          });
    } else if (expires != null && !expires.isAfter(now)) {
      tx.afterCommit(() -> tearDown(environment, Caller.TTL));
    }
  }

  /** One with rows of a branch that is absent stays until a replica with the branch removes it. */
  private void removeEmpty(String name) {
    try {
      environments.removeEmpty(name);
    } catch (RefusedException e) {
      LOG.info("the environment {} stays: {}", name, e.getMessage());
    }
  }

  private void announce(Handle tx, EnvironmentRow environment, Instant expires) {
    int announced =
        tx.execute(
            "UPDATE environments SET expiry_announced = true"
                + " WHERE name = ? AND NOT expiry_announced",
            environment.name());
    if (announced == 1) {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("environment", environment.name());
      data.put("expiresAt", expires.toString());
      EventLog.append(
          tx,
          List.of(
              new Event(
                  "environment.expiring",
                  null,
                  environment.name(),
                  environment.team(),
                  SOURCE,
                  clock.instant(),
                  data)));
    }
  }

  private void tearDown(EnvironmentRow environment, Caller caller) {
    occupants.forEach(o -> o.tearDown(environment.name(), caller));
  }
}
