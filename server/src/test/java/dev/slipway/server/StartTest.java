package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.postgres.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartTest {
  @TempDir Path directory;

  @Test
  void a_second_server_on_the_same_data_directory_says_who_holds_it() {
    try (Running running = new Running()) {
      Options options = running.options(Optional.empty());
      assertThatThrownBy(() -> SlipwayServer.start(options))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("in use by another Slipway server")
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining("--data");
    }
  }

  @Test
  void a_directory_that_stays_open_to_everybody_is_refused_with_a_way_out() {
    // The kernel lets no user change this one, as it is with the root of a volume of an
    // orchestrator.
    assertThatThrownBy(() -> DataDirectory.open(Path.of("/proc/self/task")))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("/proc/self/task is open to every user (r-xr-xr-x)")
        .hasMessageContaining("--data /proc/self/task/data")
        .hasMessageContaining("SLIPWAY_DATA");
  }

  @Test
  void a_port_that_is_taken_is_named_with_the_way_out() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Options options =
          new Options(
              Optional.empty(),
              directory,
              "127.0.0.1",
              taken.getLocalPort(),
              Optional.of(Running.url(dev.slipway.testbed.TestPostgres.freshDatabase())),
              Optional.empty(),
              Database.Migrate.AUTO,
              Options.Cluster.NONE,
              Optional.empty());
      assertThatThrownBy(() -> SlipwayServer.start(options))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("--listen");
      // Nothing is left behind: the data directory can be taken again.
      DataDirectory.open(directory).close();
    }
  }

  @Test
  void an_unreachable_database_is_named_without_its_password() {
    Options options =
        Options.parse(
            List.of(
                "--database",
                "jdbc:postgresql://127.0.0.1:1/none?user=me&password=verysecret",
                "--data",
                directory.toString()),
            Map.<String, String>of()::get);
    assertThatThrownBy(() -> SlipwayServer.start(options))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("127.0.0.1:1/none")
        .hasMessageNotContaining("verysecret");
  }

  @Test
  void a_password_among_the_arguments_is_warned_of() {
    for (String url :
        List.of("jdbc:postgresql://db/x?user=me&password=open", "postgres://me:open@db/x")) {
      assertThat(Options.warning(List.of("--database", url)))
          .as(url)
          .hasValueSatisfying(
              w -> assertThat(w).contains("SLIPWAY_DATABASE_PASSWORD").doesNotContain("open"));
    }
    assertThat(Options.warning(List.of("--database", "jdbc:postgresql://db/x?user=me"))).isEmpty();
    assertThat(Options.warning(List.of("--listen", "[::1]:0"))).isEmpty();
  }

  @Test
  void an_invalid_configuration_is_refused_with_all_positions() throws IOException {
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(
        config,
        """
        providers:
          - source: filesytem
            path: ./a
        engine:
          lease: soon
        """);
    Options options =
        Options.parse(
            List.of("--config=" + config, "--data", directory.toString()),
            Map.<String, String>of()::get);
    assertThatThrownBy(() -> SlipwayServer.start(options))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("admin-config.yaml:2:")
        .hasMessageContaining("admin-config.yaml:5:");
  }

  @Test
  void a_missing_configuration_is_named() {
    Options options =
        Options.parse(
            List.of("--config", "/nowhere/admin-config.yaml", "--data", directory.toString()),
            Map.<String, String>of()::get);
    assertThatThrownBy(() -> SlipwayServer.start(options))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("/nowhere/admin-config.yaml");
  }

  @Test
  void flags_count_more_than_the_environment_and_that_more_than_defaults() {
    Map<String, String> environment =
        Map.of("SLIPWAY_LISTEN", "0.0.0.0:9000", "SLIPWAY_DATA", "/tmp/from-environment");
    Options options = Options.parse(List.of("--listen", "[::1]:0"), environment::get);
    assertThat(options.host()).isEqualTo("::1");
    assertThat(options.port()).isZero();
    assertThat(options.data()).isEqualTo(Path.of("/tmp/from-environment"));
    Options usual = Options.parse(List.of(), Map.<String, String>of()::get);
    assertThat(usual.host()).isEqualTo("127.0.0.1");
    assertThat(usual.port()).isEqualTo(8081);
    assertThat(usual.data().toString()).endsWith(".local/share/slipway");
  }

  @Test
  void a_wrong_flag_is_a_usage_error_with_a_suggestion() {
    assertThatThrownBy(() -> Options.parse(List.of("--lisen", "x"), Map.<String, String>of()::get))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("Did you mean '--listen'?")
        .satisfies(e -> assertThat(((StartFailure) e).exitCode()).isEqualTo(64));
  }

  @Test
  void a_server_that_starts_again_keeps_its_token_and_name() throws IOException {
    Running running = new Running();
    String token = running.adminToken;
    running.server.close();
    try (SlipwayServer again = SlipwayServer.start(running.options(Optional.empty()))) {
      assertThat(Files.readString(again.adminTokenFile()).strip()).isEqualTo(token);
      assertThat(running.data.resolve("replica")).exists();
    }
  }
}
