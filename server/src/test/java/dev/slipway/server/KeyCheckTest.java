package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases of version 1 have secrets and do not say by which key they are sealed. */
class KeyCheckTest {
  @TempDir Path directory;

  @Test
  void where_no_key_is_recorded_only_one_that_opens_the_secrets_is_taken() throws Exception {
    Running before = withSecrets();
    sql(before, "DELETE FROM sealing_key");
    Path data = Running.temporary();
    Path key = data.resolve("secret.key");
    assertThatThrownBy(() -> new Running(before.database, data, Optional.empty()))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(key + " is missing");
    assertThat(key).as("no key of its own was made").doesNotExist();

    Files.writeString(key, Base64.getEncoder().encodeToString(new byte[32]));
    assertThatThrownBy(() -> new Running(before.database, data, Optional.empty()))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(key + " is another key");

    Files.copy(before.data.resolve("secret.key"), key, StandardCopyOption.REPLACE_EXISTING);
    new Running(before.database, data, Optional.empty()).close();
    assertThatThrownBy(() -> new Running(before.database, Running.temporary(), Optional.empty()))
        .as("now it is recorded")
        .hasMessageContaining("secret.key is missing");
  }

  @Test
  void what_only_looks_like_a_secret_decides_nothing() throws Exception {
    Running before = withSecrets();
    sql(
        before,
        """
        DELETE FROM sealing_key;
        UPDATE resources SET params = '{"a": {"$sealed": "v1:AAAA"}, "b": {"$sealed": "v1:%"}}'
        """);
    new Running(before.database, before.data, Optional.empty()).close();
  }

  private Running withSecrets() throws IOException {
    Path data = Running.temporary();
    byte[] key = "a key as the first releases had".concat("!").getBytes(StandardCharsets.US_ASCII);
    Files.writeString(data.resolve("secret.key"), Base64.getEncoder().encodeToString(key));
    Running running = new Running(TestPostgres.freshDatabase(), data, Optional.of(provider()));
    running
        .asAdmin()
        .yaml("/api/specs", ApplicationTest.score("kept").replace("volume", "vault"))
        .expect(201);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.asAdmin().get("/api/applications/kept").expect(200).json())
                    .containsEntry("state", "active"));
    running.close();
    return running;
  }

  private static void sql(Running running, String sql) throws SQLException {
    try (Connection c = UpgradeFixture.connect(running.database);
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  private Path provider() throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities: {resourceTypes: [vault]}
        workflows: [{name: make, file: ./make.yaml, category: provisioner}]
        """);
    Files.writeString(
        tools.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make}
        parameters: [{name: size, type: string, default: 1Gi}]
        steps:
          - {name: make, type: shell, script: echo OUTPUT_password=hunter-two, outputs: [password]}
        outputs: {password: '{{ .steps.make.output.password }}'}
        """);
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers: [{source: filesystem, path: %s}]".formatted(tools));
  }
}
