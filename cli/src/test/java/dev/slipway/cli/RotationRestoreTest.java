package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.KeyRing;
import dev.slipway.testbed.PostgresClients;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dump opens with the key file of its time, whether the key was rotated after it or before. */
class RotationRestoreTest {
  @TempDir Path directory;

  /** A dump of the database, and the text of the key file that was backed up with it. */
  private record Backup(Path dump, String keys) {
    String sealing() {
      return KeyRing.parse(keys).sealing();
    }
  }

  @Test
  void backups_from_before_and_after_a_rotation_open_with_their_own_key_files() throws Exception {
    Path config = VaultProvider.write(directory);
    Path key = directory.resolve("data").resolve("secret.key");
    Backup before;
    Backup after;
    try (LiveServer live = new LiveServer(directory.resolve("data"), config)) {
      deploy(live, "shop", "correct-horse");
      before = backUp(live, key, "before");
      live.cli.run("key", "rotate", "--file", key).expect(ExitCode.OK);
      deploy(live, "cart", "battery-staple");
      after = backUp(live, key, "after");
    }
    assertThat(after.sealing()).isNotEqualTo(before.sealing());

    TestDatabase older = restored(before);
    try (LiveServer live = new LiveServer(data(before.keys()), config, older)) {
      assertThat(token(live, "shop")).isEqualTo("correct-horse");
      deploy(live, "fresh", "new-secret");
      assertThat(token(live, "fresh")).isEqualTo("new-secret");
    }
    TestDatabase newer = restored(after);
    try (LiveServer live = new LiveServer(data(after.keys()), config, newer)) {
      assertThat(token(live, "shop")).isEqualTo("correct-horse");
      assertThat(token(live, "cart")).isEqualTo("battery-staple");
    }
    refused(older, after, "lacks key " + before.sealing());
    refused(newer, before, "lacks key " + after.sealing());
  }

  private void refused(TestDatabase database, Backup keysOf, String why) throws IOException {
    Path data = data(keysOf.keys());
    assertThatThrownBy(() -> new LiveServer(data, null, database))
        .hasMessageContaining(data.resolve("secret.key") + " " + why)
        .hasMessageContaining("Copy secret.key")
        .hasMessageNotContaining(keysOf.keys().lines().skip(1).findFirst().orElseThrow());
  }

  private Backup backUp(LiveServer live, Path key, String name) throws Exception {
    Path dump = directory.resolve(name + ".dump");
    client("pg_dump", live.database, "-Fc", "-f", dump.toString());
    return new Backup(dump, Files.readString(key));
  }

  private TestDatabase restored(Backup backup) throws Exception {
    TestDatabase empty = TestPostgres.freshDatabase();
    client("pg_restore", empty, "--exit-on-error", "--no-owner", backup.dump().toString());
    return empty;
  }

  private void client(String program, TestDatabase database, String... arguments) throws Exception {
    URI address = URI.create(database.jdbcUrl().substring("jdbc:".length()));
    List<String> command =
        new java.util.ArrayList<>(
            List.of(
                PostgresClients.directory().resolve(program).toString(),
                "-h",
                address.getHost(),
                "-p",
                "" + address.getPort(),
                "-U",
                database.user(),
                "-d",
                address.getPath().substring(1)));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PGPASSWORD", database.password());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, said).isZero();
  }

  private Path data(String keys) throws IOException {
    Path data = Files.createTempDirectory(directory, "data");
    Path file = Files.writeString(data.resolve("secret.key"), keys);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return data;
  }

  private void deploy(LiveServer live, String name, String password) throws IOException {
    Path score =
        Files.writeString(
            directory.resolve(name + ".yaml"),
            """
            apiVersion: score.dev/v1b1
            metadata: {name: %s}
            resources: {safe: {type: vault, params: {password: %s}}}
            """
                .formatted(name, password));
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
}
