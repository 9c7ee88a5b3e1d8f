package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.Planner;
import dev.slipway.applications.progress.Progress;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Transactions;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What everything about applications stands on.
 *
 * @param registry the one in force now
 * @param ids UUID version 7
 */
public record ApplicationContext(
    Jdbi jdbi,
    Supplier<Registry> registry,
    Supplier<AdminConfig> config,
    SecretBox box,
    Notifications notifications,
    InstantSource clock,
    Supplier<UUID> ids,
    Failures failures) {

  /** Of events. */
  static final String SOURCE = "applications";

  /** Called when a resource fails before a run of it begins; feeds the metrics. */
  public interface Failures {
    /** Counts nothing. */
    Failures NONE = (provider, type, code) -> {};

    void failed(@Nullable String provider, String type, String code);
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
    return new Progress(offers(environment), box, config.get().observe().drift());
  }

  Fingerprint fingerprint() {
    return new Fingerprint(box);
  }

  /**
   * One transaction; after its commit the threads that may wait for its effects are woken. Inside a
   * larger transaction it is a part of that one.
   */
  <T> T transaction(Transactions.Work<T> work) {
    return transactions().run(work);
  }

  private Transactions transactions() {
    return new Transactions(jdbi, this::tell);
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

  <T> T read(Transactions.Work<T> work) {
    return transactions().read(work);
  }

  static RefusedException notFound(String kind, String name) {
    return new RefusedException(new Refusal.NotFound(kind, name, null));
  }

  Event event(
      String type, String application, String environment, String team, Map<String, Object> data) {
    return new Event(
        type,
        new ApplicationRefs(application, environment).application(),
        environment,
        team,
        SOURCE,
        now(),
        data);
  }
}
