package dev.slipway.applications.store;

import dev.slipway.applications.observe.LookBudget;
import dev.slipway.applications.observe.LookBudget.Cause;
import dev.slipway.applications.observe.LookPlan;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Wake;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/**
 * Looks at resources: after every run, when asked, and once an interval. Key = a shard of {@link
 * LookQueue}: 10,000 resources are 37 looks a second, which cost little only when one turn begins
 * many of them and one turn keeps what many of them have found. It takes no lock of an application,
 * so that neither waits for the other: what was found while a run worked on the resource counts for
 * nothing.
 */
public final class ResourceObserver implements Reconciler {
  private static final int WIDTH = 2;

  /** When there is no room for all that are due, some that are under way end soon. */
  private static final Duration CROWDED = Duration.ofSeconds(1);

  private static final Pattern SHARD = Pattern.compile("\\d{1,4}");

  private final ApplicationContext context;
  private final LookBudget budget = new LookBudget(LookBudget.Limits.DEFAULT);
  private final LookQueue queue = new LookQueue();
  private final MetadataCache metadata = new MetadataCache();

  public ResourceObserver(ApplicationContext context) {
    this.context = context;
  }

  @Override
  public String kind() {
    return LookQueue.KIND;
  }

  @Override
  public int width() {
    return WIDTH;
  }

  @Override
  public Next reconcile(Handle tx, String key, Wake wake) throws SQLException {
    if (!SHARD.matcher(key).matches()) {
      return Next.DONE;
    }
    budget.ended(wake.runs());
    new LookResults(context, tx).follow(wake.runs());
    return onlyEnds(wake) ? Next.DONE : begin(tx, key);
  }

  private static boolean onlyEnds(Wake wake) {
    return switch (wake) {
      case Wake.Everything everything -> false;
      case Wake.Items(Set<String> items, Set<UUID> _) -> !items.contains(LookQueue.ASKED);
    };
  }

  private Next begin(Handle tx, String shard) throws SQLException {
    Instant now = context.now();
    LookPlan plan = new LookPlan(context.config().get().observe().interval(), queue.count(tx, now));
    makeRoom(tx);
    int room = budget.room(plan, Cause.ASKED, now);
    List<LookQueue.Due> due = room == 0 ? List.of() : due(tx, shard, plan, now);
    if (!due.isEmpty()) {
      new LookTurn(new LookTurn.Parts(context, budget, metadata), tx, plan, now).take(due);
    }
    return LookQueue.next(tx, shard).<Next>map(next -> after(plan, next, now)).orElse(Next.DONE);
  }

  /** As many as there is room for; the others stay due. */
  private List<LookQueue.Due> due(Handle tx, String shard, LookPlan plan, Instant now) {
    int ofSchedule = budget.room(plan, Cause.SCHEDULE, now);
    List<LookQueue.Due> due = new ArrayList<>();
    for (LookQueue.Due look : LookQueue.due(tx, shard, now, budget.room(plan, Cause.ASKED, now))) {
      if (look.asked().isPresent() || due.size() < ofSchedule) {
        due.add(look);
      }
    }
    return due;
  }

  private static Next.At after(LookPlan plan, Instant next, Instant now) {
    boolean left = !next.isAfter(now); // there was no room for it
    Instant rested = now.plus(left ? shorter(plan.pause(), CROWDED) : plan.pause());
    return new Next.At(next.isAfter(rested) ? next : rested);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** The end of a run is heard of by one replica, which may not be the one that has begun it. */
  private void makeRoom(Handle tx) {
    if (budget.full()) {
      Set<UUID> ended = new HashSet<>(budget.underWay());
      tx.createQuery("SELECT id FROM runs WHERE id = ANY (:ids) AND finished_at IS NULL")
          .bind("ids", ended.toArray(UUID[]::new))
          .mapTo(UUID.class)
          .forEach(ended::remove);
      budget.ended(ended);
    }
  }

  static boolean standing(KnownResource resource) {
    return switch (resource.state()) {
      case ACTIVE, DEGRADED, FAILED -> !resource.busy() && resource.appliedParams() != null;
      case REQUESTED, PROVISIONING, UPDATING, DEPROVISIONING, DELETED -> false;
    };
  }
}
