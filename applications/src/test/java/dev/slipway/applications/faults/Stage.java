package dev.slipway.applications.faults;

import dev.slipway.applications.store.MigratedDatabase;
import dev.slipway.postgres.Database;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.util.ArrayList;
import java.util.List;

/** A database and the ways to it: one that always works, and one of each replica. */
final class Stage implements AutoCloseable {
  static final int REPLICAS = 2;

  /** A replica's way to the database. */
  record Way(PostgresProxy proxy, Database database) {}

  final Database direct;
  final List<Way> ways = new ArrayList<>();

  Stage() {
    TestDatabase fresh = MigratedDatabase.fresh();
    this.direct = Database.open(address(fresh), 6);
    History.install(direct.jdbi());
    for (int i = 0; i < REPLICAS; i++) {
      PostgresProxy proxy = PostgresProxy.of(fresh);
      ways.add(new Way(proxy, Database.open(address(proxy.through(fresh)), 6)));
    }
  }

  private static Database.Address address(TestDatabase database) {
    return new Database.Address(database.jdbcUrl(), database.user(), database.password());
  }

  /** Nothing in it. */
  void clear() {
    direct
        .jdbi()
        .useHandle(
            h -> {
              h.execute(
                  "TRUNCATE applications, environments, resources, runs, steps, attempts,"
                      + " definitions, events, wakeups, signals, timers, approvals, plans, audit, step_logs,"
                      + " resource_transitions, idempotency_keys, seen_runs, seen_steps,"
                      + " seen_requests CASCADE");
              h.execute(
                  "INSERT INTO environments (name, created_at, updated_at)"
                      + " VALUES ('default', now(), now())");
            });
  }

  @Override
  public void close() {
    for (Way way : ways) {
      way.database().close();
      way.proxy().close();
    }
    direct.close();
  }
}
