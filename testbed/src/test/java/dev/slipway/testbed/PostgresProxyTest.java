package dev.slipway.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresProxyTest {
  private final TestDatabase direct = TestPostgres.freshDatabase();
  private final PostgresProxy proxy = PostgresProxy.of(direct);
  private final TestDatabase through = proxy.through(direct);

  @BeforeEach
  void table() throws SQLException {
    execute(direct, "CREATE TABLE things (name text)");
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void each_transaction_that_writes_is_announced_before_and_after_and_no_other() throws Exception {
    List<String> announced = new ArrayList<>();
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            announced.add("before " + transaction.statements().size() + ": " + count());
          }

          @Override
          public void after(PostgresProxy.Transaction transaction) {
            announced.add("after " + transaction.statements().size() + ": " + count());
          }
        });
    try (Connection connection = open(through);
        PreparedStatement insert = connection.prepareStatement("INSERT INTO things VALUES (?)")) {
      insert.setString(1, "alone");
      insert.executeUpdate();
      connection.createStatement().executeQuery("SELECT name FROM things").close();
      connection.setAutoCommit(false);
      for (int i = 0; i < 8; i++) { // the driver prepares on the server after some calls
        insert.setString(1, "n" + i);
        insert.executeUpdate();
      }
      connection.commit();
      connection.createStatement().executeUpdate("DELETE FROM things");
      connection.rollback();
      connection.createStatement().executeQuery("SELECT name FROM things").close();
      connection.commit();
    }

    assertThat(announced).containsExactly("before 1: 0", "after 1: 1", "before 8: 1", "after 8: 9");
  }

  @Test
  void a_watcher_called_before_a_commit_is_called_after_it_also_when_it_was_removed()
      throws Exception {
    List<String> announced = new ArrayList<>();
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            proxy.watch(PostgresProxy.CommitWatch.NONE);
            announced.add("before, quiet: " + proxy.isQuiet());
          }

          @Override
          public void after(PostgresProxy.Transaction transaction) {
            announced.add("after, quiet: " + proxy.isQuiet());
          }
        });

    execute(through, "INSERT INTO things VALUES ('watched')");
    assertThat(proxy.isQuiet()).isTrue();
    execute(through, "INSERT INTO things VALUES ('not watched')");

    assertThat(announced).containsExactly("before, quiet: false", "after, quiet: false");
  }

  @Test
  void a_commit_whose_connection_is_cut_blocks_no_waiting_thread() throws Exception {
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            proxy.watch(PostgresProxy.CommitWatch.NONE);
            throw new PostgresProxy.Cut();
          }
        });

    assertThatThrownBy(() -> execute(through, "INSERT INTO things VALUES ('x')"))
        .isInstanceOf(SQLException.class);
    CompletableFuture.runAsync(
            () -> {
              while (!proxy.isQuiet()) {
                Thread.onSpinWait();
              }
            })
        .get(30, TimeUnit.SECONDS);
  }

  @Test
  void how_many_rows_were_found_is_known_before_the_commit_unless_a_statement_comes_with_it()
      throws Exception {
    List<String> announced = new ArrayList<>();
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            announced.add(transaction.rows().toString());
          }
        });
    try (Connection connection = open(through);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO things VALUES ('a'), ('b')");
      connection.setAutoCommit(false);
      statement.executeUpdate("UPDATE things SET name = 'c' WHERE name = 'nobody'");
      connection.commit();
      statement.executeUpdate("UPDATE things SET name = 'c'");
      connection.commit();
      statement.executeUpdate("UPDATE things SET name = 'c' WHERE name = 'nobody'");
      statement.execute("DELETE FROM things; COMMIT");
    }

    assertThat(announced)
        .containsExactly(
            "OptionalInt.empty", "OptionalInt[0]", "OptionalInt[2]", "OptionalInt.empty");
  }

  @Test
  void a_client_that_dies_before_its_commit_has_changed_nothing() throws Exception {
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            proxy.cut();
          }
        });

    assertThatThrownBy(() -> execute(through, "INSERT INTO things VALUES ('x')"))
        .isInstanceOf(SQLException.class);
    assertThat(count()).isZero();
  }

  @Test
  void a_client_that_dies_after_its_commit_has_changed_something_and_does_not_know()
      throws Exception {
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void after(PostgresProxy.Transaction transaction) {
            proxy.cut();
          }
        });

    assertThatThrownBy(() -> execute(through, "INSERT INTO things VALUES ('x')"))
        .isInstanceOf(SQLException.class);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void a_database_that_is_away_comes_back() throws Exception {
    proxy.goAway();
    assertThatThrownBy(() -> open(through)).isInstanceOf(SQLException.class);

    proxy.comeBack();
    execute(through, "INSERT INTO things VALUES ('x')");

    assertThat(count()).isEqualTo(1);
  }

  @Test
  void a_frozen_connection_goes_on_when_it_thaws() throws Exception {
    try (Connection connection = open(through)) {
      proxy.freeze();
      CompletableFuture<Void> insert = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try (Statement statement = connection.createStatement()) {
                  statement.executeUpdate("INSERT INTO things VALUES ('x')");
                  insert.complete(null);
                } catch (SQLException e) {
                  insert.completeExceptionally(e);
                }
              });
      assertThatThrownBy(() -> insert.get(100, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(count()).isZero();

      proxy.thaw();
      insert.get(10, TimeUnit.SECONDS);
      assertThat(count()).isEqualTo(1);
    }
  }

  @Test
  void a_slow_database_answers_late() throws Exception {
    try (Connection connection = open(through);
        Statement statement = connection.createStatement()) {
      proxy.slow(Duration.ofMillis(200));
      long start = System.nanoTime();
      statement.executeQuery("SELECT 1").close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(199));
    }
  }

  private int count() {
    try (Connection connection = open(direct);
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM things")) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = open(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Connection open(TestDatabase database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }
}
