package dev.slipway.postgres;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;

/**
 * A database of its own with the current schema, for one test class. Migrated once, then copied.
 */
public final class MigratedDatabase {
  private static final TestDatabase TEMPLATE = migrated();

  private MigratedDatabase() {}

  /** Opens a fresh one. */
  public static Database open() {
    return Database.open(address(fresh()), 10);
  }

  /** A fresh one without connections. */
  public static TestDatabase fresh() {
    return TestPostgres.copyOf(TEMPLATE);
  }

  /** How to reach it. */
  public static Database.Address address(TestDatabase database) {
    return new Database.Address(database.jdbcUrl(), database.user(), database.password());
  }

  private static TestDatabase migrated() {
    TestDatabase database = TestPostgres.freshDatabase();
    Database.open(address(database), 2).close();
    return database;
  }
}
