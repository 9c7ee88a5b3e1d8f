package dev.slipway.applications.store;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.postgres.reconcile.KeyLock;
import dev.slipway.postgres.reconcile.Signals;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Applications as keys of the reconcile loop. */
public final class ApplicationKey {
  public static final String KIND = "application";

  private ApplicationKey() {}

  /** As the subject of a run that works on one of its resources, or on all of it. */
  static NewRun.Key of(UUID application, @Nullable UUID resource, String cause) {
    return new NewRun.Key(
        KIND, application.toString(), resource == null ? null : resource.toString(), cause);
  }

  /** Waits for the lock that turns hold too, so that one transaction at a time decides. */
  static void lock(Handle tx, UUID application) {
    KeyLock.take(tx, KIND, application.toString());
  }

  /** Asks for a turn of each of them. */
  static void signal(Handle tx, Collection<UUID> applications, Instant now) {
    Signals.add(tx, KIND, applications.stream().map(UUID::toString).toList(), now);
  }

  /** Asks for a turn at that time at the latest; the transaction holds the lock. */
  static void later(Handle tx, UUID application, Instant due) {
    Signals.later(tx, KIND, application.toString(), due);
  }
}
