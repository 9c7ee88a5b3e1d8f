package dev.slipway.postgres.applications;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.lifecycle.Event;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Wake;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Works out what comes next for an application; each turn looks at all its resources. */
public final class ApplicationReconciler implements Reconciler {
  /** Deciding needs processors, of which there are few. */
  private static final int WIDTH = 4;

  /** A run that was asked to stop is asked again after that, in case the request was lost. */
  static final Duration ASKED_AGAIN = Duration.ofSeconds(5);

  private final Ground ground;
  private final RunStore runs;
  private final PlanGate gate;

  public ApplicationReconciler(Ground ground, RunStore runs) {
    this.ground = ground;
    this.runs = runs;
    this.gate = new PlanGate(ground, new Deploying(ground, runs));
  }

  @Override
  public String kind() {
    return ApplicationKey.KIND;
  }

  @Override
  public int width() {
    return WIDTH;
  }

  /** Wakes every application with something that is not as it should be: after a reload. */
  public void wakeAll() {
    ground.transaction(
        h -> {
          List<UUID> owners =
              h.createQuery(
                      "SELECT DISTINCT owner_id FROM resources"
                          + " WHERE state NOT IN ('active', 'deleted')")
                  .mapTo(UUID.class)
                  .list();
          ApplicationKey.signal(h, owners, ground.now());
          return owners.size();
        });
  }

  @Override
  public Next reconcile(Handle tx, String key, Wake wake) throws SQLException {
    UUID id = UUID.fromString(key);
    Instant now = ground.now();
    // Replicas of schema 9 insert wake-ups, which a trigger copies into signals.
    tx.execute("DELETE FROM wakeups WHERE application_id = ? AND at <= ?", id, now);
    Optional<ApplicationRow> application = ApplicationRow.lock(tx, id);
    return application.isEmpty() ? Next.DONE : advance(tx, application.get(), now);
  }

  private Next advance(Handle tx, ApplicationRow application, Instant now) throws SQLException {
    List<Event> events = new ArrayList<>();
    PlanGate.Passed passed = gate.pass(tx, application, events);
    ApplicationRow current = ApplicationRow.lock(tx, application.id()).orElseThrow();
    EnvironmentRow environment = EnvironmentRow.find(tx, current.environment()).orElseThrow();
    Advance.Result result = new Advance(ground).in(tx, current, environment);
    List<UUID> cancels = new ArrayList<>(passed.cancels());
    cancels.addAll(result.cancels());
    events.addAll(result.events());
    EventLog.append(tx, events);
    Advance.stop(runs, ground, cancels);
    Optional<Instant> next =
        cancels.isEmpty() ? passed.waitsUntil() : Optional.of(now.plus(ASKED_AGAIN));
    return next.<Next>map(Next.At::new).orElse(Next.DONE);
  }
}
