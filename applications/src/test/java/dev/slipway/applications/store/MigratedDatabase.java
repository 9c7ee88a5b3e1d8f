package dev.slipway.applications.store;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.Scripts;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.util.List;

/**
 * A database of its own with the current schema, for one test class. Migrated once, then copied.
 */
public final class MigratedDatabase {
  private static final TestDatabase TEMPLATE = migrated();

  private MigratedDatabase() {}

  /** Opens a fresh one. */
  static Database open() {
    return Database.open(address(fresh()), 10);
  }

  /** A fresh one that nothing is connected to yet. */
  public static TestDatabase fresh() {
    return TestPostgres.copyOf(TEMPLATE);
  }

  private static Database.Address address(TestDatabase database) {
    return new Database.Address(database.jdbcUrl(), database.user(), database.password());
  }

  private static TestDatabase migrated() {
    TestDatabase database = TestPostgres.freshDatabase();
    Database.open(
            address(database),
            2,
            new Database.Schema(Database.Migrate.AUTO, List.of(Scripts.ofBranch("applications"))))
        .close();
    return database;
  }
}
