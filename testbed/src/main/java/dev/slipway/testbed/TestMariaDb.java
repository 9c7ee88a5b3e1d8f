package dev.slipway.testbed;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real MariaDB, one per test JVM, started at first use and stopped with the JVM, also after a
 * crash. The program is unpacked once per user; the data is temporary.
 */
public final class TestMariaDb {
  static final String USER = "tester";
  static final String PASSWORD = "unused";
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private TestMariaDb() {}

  /** An empty database that no other test uses. Call once per test class. */
  public static TestDatabase freshDatabase() {
    String name = "test_" + DATABASES.incrementAndGet();
    return new TestDatabase(
        "jdbc:mariadb://127.0.0.1:"
            + MariaDbServer.RUNNING.port()
            + "/"
            + name
            + "?createDatabaseIfNotExist=true",
        USER,
        PASSWORD);
  }
}
