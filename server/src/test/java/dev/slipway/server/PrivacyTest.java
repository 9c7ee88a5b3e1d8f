package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other users of the machine can see of a server: a real process under the widest umask. */
class PrivacyTest {
  @TempDir Path directory;

  @Test
  void what_was_open_to_others_is_closed_with_a_warning() throws IOException {
    Path file = Files.writeString(directory.resolve("secret.key"), "key");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    List<String> warnings = new ArrayList<>();
    Privacy.ensure(file, warnings::add);
    Privacy.ensure(file, warnings::add);
    Privacy.ensure(directory.resolve("none"), warnings::add);
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst()).contains(file.toString(), "rw-r--r--");
  }

  @Test
  void a_data_directory_that_was_open_is_closed_with_the_secrets_in_it() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    for (String name : List.of("secret.key", "admin-token", "pg.password")) {
      Path file = Files.writeString(data.resolve(name), "x");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    }
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
    DataDirectory.open(data).close();
    assertThat(mode(data)).isEqualTo("rwx------");
    for (String name : List.of("secret.key", "admin-token", "pg.password")) {
      assertThat(mode(data.resolve(name))).as(name).isEqualTo("rw-------");
    }
  }

  @Test
  void what_is_open_to_everybody_and_stays_so_is_refused() {
    // The kernel lets nobody change these, not even root.
    assertThatThrownBy(() -> Privacy.ensure(Path.of("/proc/self/cmdline"), _ -> {}))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("/proc/self/cmdline is open to every user (r--r--r--)")
        .hasMessageContaining("chmod");
  }

  @Test
  void no_file_command_line_or_environment_tells_others_a_secret() throws IOException {
    Path go = directory.resolve("go");
    Path config = provider(go);
    Path data = directory.resolve("data");
    Path out = directory.resolve("out");
    Process server = start(config, data, out);
    try {
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> !server.isAlive() || Files.readString(out).contains("Slipway is ready at"));
      assertThat(server.isAlive()).as(Files.readString(out)).isTrue();
      String url = Files.readString(out).replaceAll("(?s).*ready at (\\S+).*", "$1");
      String token = Files.readString(data.resolve("admin-token")).strip();
      execute(url, token);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(directory.resolve("working")));

      seenByOthers(server, data);
      privateFiles(data);
    } finally {
      Files.writeString(go, "");
      server.destroy();
      server.onExit().join();
    }
  }

  private void execute(String url, String token) throws IOException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      var reply =
          http.send(
              HttpRequest.newBuilder(URI.create(url + "/api/golden-paths/work/execute"))
                  .header("Authorization", "Bearer " + token)
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"parameters\":{\"password\":\"planted-secret\"}}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(202);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Arguments can be read by everybody; the environment only by the same user. */
  private static void seenByOthers(Process server, Path data) throws IOException {
    List<String> secrets = new ArrayList<>(List.of("planted-secret"));
    for (String name : List.of("secret.key", "admin-token", "pg.password")) {
      secrets.add(Files.readString(data.resolve(name)).strip());
    }
    List<String> seen = new ArrayList<>();
    for (ProcessHandle each :
        Stream.concat(Stream.of(server.toHandle()), server.descendants()).toList()) {
      Path proc = Path.of("/proc", "" + each.pid());
      String arguments = Files.readString(proc.resolve("cmdline")).replace('\0', ' ');
      seen.add(arguments);
      assertThat(arguments).doesNotContain(secrets);
      assertThat(mode(proc.resolve("environ"))).as(arguments).isEqualTo("r--------");
    }
    assertThat(seen)
        .as("the server, its database and a step")
        .anyMatch(a -> a.contains("dev.slipway.server.Main"))
        .anyMatch(a -> a.contains("bin/postgres"))
        .hasSizeGreaterThan(3);
  }

  private static void privateFiles(Path data) throws IOException {
    assertThat(mode(data)).isEqualTo("rwx------");
    assertThat(mode(data.resolve("pg"))).isEqualTo("rwx------");
    for (String name : List.of("secret.key", "admin-token", "pg.password")) {
      assertThat(mode(data.resolve(name))).as(name).isEqualTo("rw-------");
    }
    List<Path> scripts;
    try (Stream<Path> work = Files.walk(data.resolve("work"))) {
      scripts = work.filter(Files::isRegularFile).toList();
    }
    assertThat(scripts).as("files of the step that runs").isNotEmpty();
    for (Path script : scripts) {
      assertThat(mode(script.getParent())).as(script.toString()).isEqualTo("rwx------");
    }
  }

  private Path provider(Path go) throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        workflows: [{name: work, file: ./work.yaml, category: goldenpath}]
        """);
    Files.writeString(
        tools.resolve("work.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: work}
        parameters: [{name: password, type: string, required: true}]
        steps:
          - name: work
            type: shell
            env: {PASSWORD: '{{ .parameters.password }}'}
            script: |
              word={{ .parameters.password }}
              touch %s
              until test -f %s; do sleep 0.1; done
        """
            .formatted(directory.resolve("working"), go));
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers: [{source: filesystem, path: %s}]".formatted(tools));
  }

  private static Process start(Path config, Path data, Path out) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 000; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.add("dev.slipway.server.Main");
    command.addAll(List.of("--config", config.toString(), "--data", data.toString()));
    command.addAll(List.of("--listen", "127.0.0.1:0"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
