package dev.slipway.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("proof")
class EmbeddedServerTest {
  @TempDir static Path directory;

  @Test
  void keeps_its_data_is_durable_and_comes_back_after_a_crash() throws SQLException, IOException {
    try (EmbeddedServer server = EmbeddedServer.start(directory, OptionalInt.empty())) {
      assertThat(ask(server, "SHOW fsync")).isEqualTo("on");
      assertThat(ask(server, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(ask(server, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve("pg.password"))))
          .isEqualTo("rw-------");
      Database.Address wrong =
          new Database.Address(server.address().jdbcUrl(), server.address().user(), "wrong");
      assertThatThrownBy(() -> Database.open(wrong, 1))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("refuses the login");
      tell(server, "CREATE TABLE kept AS SELECT 'yes' AS x");

      ProcessHandle first = server.process();
      first.destroyForcibly();
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(ask(server, "SELECT x FROM kept")).isEqualTo("yes"));
      assertThat(server.process().pid()).isNotEqualTo(first.pid());
    }
    try (EmbeddedServer again = EmbeddedServer.start(directory, OptionalInt.empty())) {
      assertThat(ask(again, "SELECT x FROM kept")).isEqualTo("yes");
    }
  }

  @RepeatedTest(3)
  void one_that_is_closed_while_it_is_started_again_leaves_no_process(@TempDir Path own) {
    try (EmbeddedServer server = EmbeddedServer.start(own, OptionalInt.empty())) {
      ProcessHandle process = server.process();
      process.destroyForcibly();
      process.onExit().join();
    }
    assertThat(
            ProcessHandle.allProcesses()
                .map(p -> p.info().commandLine().orElse(""))
                .filter(line -> line.contains("postgres") && line.contains(own.toString())))
        .isEmpty();
  }

  @Test
  void it_does_not_hear_what_is_typed_at_the_terminal_of_its_owner(@TempDir Path own)
      throws IOException {
    try (EmbeddedServer server = EmbeddedServer.start(own, OptionalInt.empty())) {
      assertThat(session(server.process().pid())).isNotEqualTo(session("self"));
    }
  }

  /** The sixth field of {@code stat}; the name before it may hold anything but a bracket. */
  private static String session(Object process) throws IOException {
    String stat = Files.readString(Path.of("/proc", process.toString(), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[3];
  }

  @Test
  void a_port_that_is_taken_is_said_so(@TempDir Path other) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () -> Ports.choose(other.resolve("p"), OptionalInt.of(taken.getLocalPort())))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("port " + taken.getLocalPort())
          .hasMessageContaining("taken by another program");
    }
  }

  @Test
  void a_database_that_is_away_is_said_so() {
    Database.Address nowhere =
        new Database.Address("jdbc:postgresql://127.0.0.1:1/slipway", "slipway", "x");

    assertThatThrownBy(() -> Database.open(nowhere, 1))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("cannot reach the database at jdbc:postgresql://127.0.0.1:1/slipway")
        .hasMessageContaining("refused")
        .hasMessageContaining("Check that it runs");
  }

  private static String ask(EmbeddedServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void tell(EmbeddedServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Connection connect(EmbeddedServer server) throws SQLException {
    Database.Address address = server.address();
    return DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
  }

  @Test
  void one_that_is_closed_before_it_is_ready_leaves_nothing_running(@TempDir Path own) {
    EmbeddedServer server = EmbeddedServer.begin(own, OptionalInt.empty(), Threads.OF_MACHINE);
    ProcessHandle process = server.process();
    server.close();
    assertThat(process.isAlive()).isFalse();
  }
}
