package dev.slipway.applications.store;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.environments.EnvironmentRow;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Wake;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Works out what comes next for an application. A turn that runs have asked for looks at the
 * resources that they worked on and at the neighbours of these, all other turns at everything.
 */
public final class ApplicationReconciler implements Reconciler {
  /** Deciding needs processors, of which there are few. */
  private static final int WIDTH = 4;

  /** A run that was asked to stop is asked again after that, in case the request was lost. */
  static final Duration ASKED_AGAIN = Duration.ofSeconds(5);

  private final ApplicationContext context;
  private final RunStore runs;
  private final PlanGate gate;
  private final ItemTurn items;

  public ApplicationReconciler(ApplicationContext context, RunStore runs) {
    this.context = context;
    this.runs = runs;
    this.gate = new PlanGate(context, new Deploying(context, runs));
    this.items = new ItemTurn(context, new MetadataCache());
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
    context.transaction(
        h -> {
          List<UUID> owners =
              h.createQuery(
                      "SELECT DISTINCT owner_id FROM resources"
                          + " WHERE state NOT IN ('active', 'deleted') OR gate = 'waiting'")
                  .mapTo(UUID.class)
                  .list();
          ApplicationKey.signal(h, owners, context.now());
          return owners.size();
        });
  }

  @Override
  public Next reconcile(Handle tx, String key, Wake wake) throws SQLException {
    UUID id = UUID.fromString(key);
    Instant now = context.now();
    // Replicas of schema 9 insert wake-ups, which a trigger copies into signals.
    tx.execute("DELETE FROM wakeups WHERE application_id = ? AND at <= ?", id, now);
    Optional<ApplicationRow> application = ApplicationRow.lock(tx, id);
    List<SignalledRun> signalled = SignalledRun.of(tx, wake);
    List<Reports.Applied> looks = applyLooks(tx, id, signalled);
    if (application.isEmpty()) {
      return Next.DONE;
    }
    if (wake instanceof Wake.Items items
        && application.get().decided()
        && !PlanGate.waits(tx, id)) {
      ItemTurn.Changed changed = changed(tx, id, items, signalled, looks);
      if (changed.items().isEmpty()) {
        return Next.DONE;
      }
      Optional<Next> next = near(tx, application.get(), changed, now);
      if (next.isPresent()) {
        return next.get();
      }
    }
    return advance(tx, application.get(), now);
  }

  /**
   * Applies reports of runs in charge. A run in charge without a new report was decided about when
   * it was applied; a look that found nothing new changes no decision, unless a gate waits for it.
   */
  private ItemTurn.Changed changed(
      Handle tx,
      UUID id,
      Wake.Items wake,
      List<SignalledRun> signalled,
      List<Reports.Applied> looks)
      throws SQLException {
    List<UUID> inCharge = new ArrayList<>();
    Set<UUID> items = new HashSet<>();
    wake.items().forEach(item -> items.add(UUID.fromString(item)));
    for (SignalledRun run : signalled) {
      items.remove(run.resource());
      if (run.inCharge() && run.owner().equals(id)) {
        inCharge.add(run.resource());
      }
    }
    Set<UUID> opening = new HashSet<>();
    for (SignalledRun run : signalled) {
      if (!run.onlyReports() && run.owner().equals(id)) {
        items.add(run.resource());
      }
      if (run.gated() && run.look() && run.well() && run.owner().equals(id)) {
        opening.add(run.resource());
      }
    }
    List<Reports.Applied> applied =
        new ArrayList<>(new Reports(context, tx, id).applyTo(tx, inCharge));
    applied.addAll(looks);
    applied.forEach(report -> items.add(report.resource()));
    return new ItemTurn.Changed(items, applied, opening);
  }

  /**
   * Applies what looks have found, and passes on the end of a run whose resource has another owner
   * by now. Reports of runs in charge are applied where the resources are read.
   */
  private List<Reports.Applied> applyLooks(Handle tx, UUID id, List<SignalledRun> signalled)
      throws SQLException {
    List<UUID> looks =
        signalled.stream()
            .filter(run -> run.look() || !run.owner().equals(id))
            .map(SignalledRun::run)
            .toList();
    List<Reports.Applied> applied = new Reports(context, tx, id).observe(looks);
    ApplicationKey.signal(
        tx,
        signalled.stream()
            .map(SignalledRun::owner)
            .filter(owner -> !owner.equals(id))
            .distinct()
            .toList(),
        context.now());
    return applied;
  }

  private Optional<Next> near(
      Handle tx, ApplicationRow application, ItemTurn.Changed changed, Instant now)
      throws SQLException {
    EnvironmentRow environment = EnvironmentRow.find(tx, application.environment()).orElseThrow();
    Optional<Advance.Result> result = items.in(tx, application, environment, changed);
    if (result.isEmpty()) {
      return Optional.empty();
    }
    EventLog.append(tx, result.get().events());
    Advance.stop(runs, context, result.get().cancels());
    return Optional.of(next(result.get().due(now)));
  }

  private Next advance(Handle tx, ApplicationRow application, Instant now) throws SQLException {
    List<Event> events = new ArrayList<>();
    PlanGate.Passed passed = gate.pass(tx, application, events);
    ApplicationRow current = ApplicationRow.lock(tx, application.id()).orElseThrow();
    EnvironmentRow environment = EnvironmentRow.find(tx, current.environment()).orElseThrow();
    Advance.Result result = new Advance(context).in(tx, current, environment);
    List<UUID> cancels = new ArrayList<>(passed.cancels());
    cancels.addAll(result.cancels());
    events.addAll(result.events());
    EventLog.append(tx, events);
    Advance.stop(runs, context, cancels);
    Optional<Instant> asked =
        passed.cancels().isEmpty() ? Optional.empty() : Optional.of(now.plus(ASKED_AGAIN));
    return next(
        Stream.of(asked, passed.waitsUntil(), result.due(now))
            .flatMap(Optional::stream)
            .min(Instant::compareTo));
  }

  private static Next next(Optional<Instant> due) {
    return due.<Next>map(Next.At::new).orElse(Next.DONE);
  }
}
