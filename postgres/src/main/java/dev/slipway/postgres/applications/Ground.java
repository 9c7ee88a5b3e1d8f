package dev.slipway.postgres.applications;

import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.plan.Offers;
import dev.slipway.engine.plan.Planner;
import dev.slipway.engine.progress.Progress;
import dev.slipway.engine.progress.Refusal;
import dev.slipway.engine.progress.RefusedException;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Races;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What everything about applications stands on.
 *
 * @param registry the one in force now
 * @param ids UUID version 7
 */
public record Ground(
    Jdbi jdbi,
    Supplier<Registry> registry,
    Supplier<AdminConfig> config,
    SecretBox box,
    Notifications notifications,
    InstantSource clock,
    Supplier<UUID> ids,
    Failures failures) {

  /** Hears of resources that fail before any run of theirs begins. */
  public interface Failures {
    void failed(@Nullable String provider, String type, String code);
  }

  /** Nobody wants to hear of failures. */
  public Ground(
      Jdbi jdbi,
      Supplier<Registry> registry,
      Supplier<AdminConfig> config,
      SecretBox box,
      Notifications notifications,
      InstantSource clock,
      Supplier<UUID> ids) {
    this(jdbi, registry, config, box, notifications, clock, ids, (provider, type, code) -> {});
  }

  Instant now() {
    return clock.instant();
  }

  Offers offers(String environment) {
    return new Offers(registry.get(), environment);
  }

  Planner planner(String environment) {
    return new Planner(offers(environment), box);
  }

  Progress progress(String environment) {
    return new Progress(offers(environment), box);
  }

  Fingerprint fingerprint() {
    return new Fingerprint(box);
  }

  /** Work inside one transaction. */
  interface Work<T> {
    T in(Handle handle) throws SQLException;
  }

  /**
   * One transaction; tried again when it lost a race (a deadlock, or somebody else inserted the
   * same name first), then everybody who may wait for its effects is told. Inside a larger
   * transaction it is a part of that one: whoever began the whole tries it again.
   */
  <T> T transaction(Work<T> work) {
    try {
      return jdbi.withHandle(h -> h.isInTransaction() ? part(h, work) : whole(h, work));
    } catch (SQLException e) {
      throw new IllegalStateException("the database refuses: " + e.getMessage(), e);
    }
  }

  private <T> T whole(Handle handle, Work<T> work) throws SQLException {
    return Races.again(() -> handle.inTransaction(h -> part(h, work)));
  }

  private <T> T part(Handle handle, Work<T> work) throws SQLException {
    T result = work.in(handle);
    handle.afterCommit(this::tell);
    return result;
  }

  private void tell() {
    notifications.raise(Topic.RUNS, "");
    notifications.raise(Topic.SIGNALS, "");
    notifications.raise(Topic.EVENTS, "");
  }

  /** Does it now, or when the transaction around it has been committed. */
  void afterCommit(Runnable work) {
    jdbi.useHandle(
        h -> {
          if (h.isInTransaction()) {
            h.afterCommit(work);
          } else {
            work.run();
          }
        });
  }

  <T> T read(Work<T> work) {
    try {
      return jdbi.withHandle(work::in);
    } catch (SQLException e) {
      throw new IllegalStateException("the database refuses: " + e.getMessage(), e);
    }
  }

  static RefusedException notFound(String kind, String name) {
    return new RefusedException(new Refusal.NotFound(kind, name, null));
  }

  static RefusedException conflict(String code, String message, @Nullable String hint) {
    return new RefusedException(new Refusal.Conflict(code, message, hint, List.of()));
  }

  Event event(
      String type, String application, String environment, String team, Map<String, Object> data) {
    return new Event(type, application, environment, team, "applications", now(), data);
  }
}
