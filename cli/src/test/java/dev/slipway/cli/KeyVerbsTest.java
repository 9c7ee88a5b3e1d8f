package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.KeyRing;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys are rotated while servers run, and secrets belong to their rows. */
class KeyVerbsTest {
  private static final String OLD_FORM = Base64.getEncoder().encodeToString(new byte[32]);

  /** Every column that may hold a sealed value. */
  private static final String CIPHERTEXTS =
      """
      SELECT sealed[1] FROM (
          SELECT concat(metadata, params, applied_params, attempted_params, outputs) FROM resources
          UNION ALL SELECT workload::text FROM applications
          UNION ALL SELECT concat(spec, workload) FROM revisions
          UNION ALL SELECT variables::text FROM environments
          UNION ALL SELECT concat(inputs, variables, outputs) FROM runs
          UNION ALL SELECT concat(memory, outputs) FROM steps
      ) tree (text), regexp_matches(text, '"\\$sealed": ?"([^"]+)"', 'g') sealed
      UNION ALL SELECT encode(reply, 'escape') FROM idempotency_keys WHERE reply IS NOT NULL
      UNION ALL SELECT encode(state, 'escape') FROM module_states
      """;

  @TempDir Path directory;
  private Path config;

  @BeforeEach
  void a_provider_whose_outputs_are_secret() throws IOException {
    config = VaultProvider.write(directory);
  }

  private void deploy(LiveServer live, String name, String password) throws IOException {
    Path score =
        Files.writeString(
            directory.resolve(name + ".yaml"),
            """
            apiVersion: score.dev/v1b1
            metadata: {name: NAME}
            containers: {web: {image: nginx, variables: {TOKEN: '${resources.safe.token}'}}}
            resources: {safe: {type: vault, params: {password: PASSWORD}}}
            """
                .replace("NAME", name)
                .replace("PASSWORD", password));
    live.cli.run("deploy", score, "--wait").expect(ExitCode.OK);
  }

  private static Object token(LiveServer live, String application) {
    return Json.readMap(
            live.cli
                .run("resource", "outputs", application + "/safe", "--reveal", "-o", "json")
                .expect(ExitCode.OK)
                .out())
        .get("token");
  }

  private static List<String> query(LiveServer live, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = connection(live);
        ResultSet rows = connection.createStatement().executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  private static Connection connection(LiveServer live) throws SQLException {
    return DriverManager.getConnection(
        live.database.jdbcUrl(), live.database.user(), live.database.password());
  }

  private static Path keep(Path data, String text) throws IOException {
    Files.createDirectories(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path file = Files.writeString(data.resolve("secret.key"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void a_rotation_seals_everything_anew_while_the_server_runs() throws Exception {
    Path file = keep(directory.resolve("data"), OLD_FORM);
    try (LiveServer live = new LiveServer(directory.resolve("data"), config)) {
      deploy(live, "shop", "correct-horse");
      assertThat(query(live, CIPHERTEXTS)).isNotEmpty().allMatch(c -> c.startsWith("v1:"));

      Cli.Result rotated = live.cli.run("key", "rotate", "--file", file).expect(ExitCode.OK);
      String key = rotated.out().strip();
      assertThat(rotated.err()).contains("1/4", "2/4", "3/4", "4/4").doesNotContain(OLD_FORM);
      assertThat(query(live, CIPHERTEXTS))
          .isNotEmpty()
          .allMatch(c -> c.startsWith("v2:" + key + ":"));
      assertThat(KeyRing.parse(Files.readString(file)).opening()).isEmpty();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(token(live, "shop")).isEqualTo("correct-horse");
      assertThat(live.cli.run("deploy", directory.resolve("shop.yaml")).expect(ExitCode.OK).err())
          .as("hashes over secrets are the same as before")
          .contains("unchanged");

      String again = live.cli.run("key", "rotate", "--file", file).expect(ExitCode.OK).out();
      assertThat(again.strip()).isNotEqualTo(key);
      assertThat(token(live, "shop")).isEqualTo("correct-horse");
      deploy(live, "shop", "battery-staple");
      assertThat(token(live, "shop")).isEqualTo("battery-staple");
    }
  }

  @Test
  void with_several_replicas_it_waits_for_the_file_at_each_and_goes_on_when_run_again()
      throws Exception {
    Path file = directory.resolve("data").resolve("secret.key");
    Path other = directory.resolve("other").resolve("secret.key");
    try (LiveServer live = new LiveServer(directory.resolve("data"), config)) {
      keep(directory.resolve("other"), Files.readString(file));
      try (LiveServer replica = new LiveServer(directory.resolve("other"), config, live.database)) {
        deploy(live, "shop", "correct-horse");
        int runs = 0;
        Cli.Result result;
        do {
          result = live.cli.run("key", "rotate", "--file", file, "--timeout", "0");
          assertThat(result.exitCode()).isIn(ExitCode.OK.code(), ExitCode.TIMEOUT.code());
          assertThat(token(live, "shop")).isEqualTo("correct-horse");
          assertThat(token(replica, "shop")).isEqualTo("correct-horse");
          Files.copy(file, other, StandardCopyOption.REPLACE_EXISTING);
          assertThat(++runs).isLessThan(200);
        } while (result.exitCode() != ExitCode.OK.code());
        assertThat(runs).as("it waited for the other replica").isGreaterThan(1);
        String key = result.out().strip();
        assertThat(query(live, CIPHERTEXTS))
            .isNotEmpty()
            .allMatch(c -> c.startsWith("v2:" + key + ":"));
        assertThat(token(replica, "shop")).isEqualTo("correct-horse");
      }
    }
  }

  @Test
  @Timeout(90)
  void a_value_that_only_looks_sealed_does_not_keep_a_rotation_from_ending() throws Exception {
    Path file = directory.resolve("data").resolve("secret.key");
    try (LiveServer live = new LiveServer(directory.resolve("data"), config)) {
      deploy(live, "shop", "correct-horse");
      try (Connection connection = connection(live)) {
        connection
            .createStatement()
            .executeUpdate("UPDATE steps SET memory = '{\"a\": {\"$sealed\": \"v1:AAAA\"}}'");
      }
      live.cli.run("key", "rotate", "--file", file).expect(ExitCode.OK);
      assertThat(token(live, "shop")).isEqualTo("correct-horse");
    }
  }

  @Test
  void a_file_of_another_server_is_not_touched() throws Exception {
    try (LiveServer live = new LiveServer(directory.resolve("data"), config)) {
      Path foreign = keep(directory.resolve("foreign"), OLD_FORM);
      Cli.Result result = live.cli.run("key", "rotate", "--file", foreign);
      assertThat(result.exitCode()).isEqualTo(ExitCode.CONFLICT.code());
      assertThat(Files.readString(foreign)).isEqualTo(OLD_FORM);
    }
  }

  @Test
  void a_ciphertext_that_was_moved_to_another_row_is_not_revealed() throws Exception {
    try (LiveServer live = new LiveServer(directory.resolve("data"), config)) {
      deploy(live, "victim", "correct-horse");
      deploy(live, "attacker", "battery-staple");
      try (Connection connection = connection(live)) {
        assertThat(
                connection
                    .createStatement()
                    .executeUpdate(
                        """
                        UPDATE resources SET outputs =
                            (SELECT outputs FROM resources WHERE identity LIKE '%victim.safe')
                         WHERE identity LIKE '%attacker.safe'
                        """))
            .isEqualTo(1);
      }
      Cli.Result result =
          live.cli.run("resource", "outputs", "attacker/safe", "--reveal", "-o", "json");
      assertThat(result.exitCode()).isNotZero();
      assertThat(result.out() + result.err()).doesNotContain("correct-horse");
      assertThat(token(live, "victim")).isEqualTo("correct-horse");
    }
  }

  @Test
  void a_key_file_from_before_the_rotation_starts_no_server() throws Exception {
    Path data = directory.resolve("data");
    Path before = directory.resolve("before");
    try (LiveServer live = new LiveServer(data, config)) {
      keep(before, Files.readString(data.resolve("secret.key")));
      live.cli.run("key", "rotate", "--file", data.resolve("secret.key")).expect(ExitCode.OK);
      assertThatThrownBy(() -> new LiveServer(before, config, live.database))
          .hasMessageContaining("lacks key");
      Map<String, Object> status =
          Json.readMap(live.cli.run("key", "status", "-o", "json").expect(ExitCode.OK).out());
      assertThat(Values.map(status.get("resealing"))).containsEntry("state", "done");
    }
  }
}
