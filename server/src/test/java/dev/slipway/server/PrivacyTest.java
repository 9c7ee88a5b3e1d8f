package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.value.Json;
import dev.slipway.testbed.TerraformProgram;
import dev.slipway.testbed.TestAnsible;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other users of the machine can see of a server: a real process under the widest umask. */
class PrivacyTest {
  private static final String SECRET = "planted-secret";
  private static final String TERRAFORM = "terraform";
  private static final String ANSIBLE = "ansible-playbook";

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
    // The kernel lets no user change these, not even root.
    assertThatThrownBy(() -> Privacy.ensure(Path.of("/proc/self/cmdline"), _ -> {}))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("/proc/self/cmdline is open to every user (r--r--r--)")
        .hasMessageContaining("chmod");
  }

  @Test
  void no_file_command_line_or_environment_shows_others_a_secret() throws Exception {
    Path config = provider();
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
      String run =
          ask(
              HttpRequest.newBuilder(URI.create(url + "/api/golden-paths/chores/execute"))
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"parameters\":{\"password\":\"" + SECRET + "\"}}")),
              token);
      URI shown = URI.create(url + "/api/workflows/" + Json.readMap(run).get("id"));
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .until(
              () ->
                  Files.exists(directory.resolve("working"))
                      || Json.readMap(ask(HttpRequest.newBuilder(shown), token))
                          .containsKey("completedAt"));
      assertThat(directory.resolve("working"))
          .as(ask(HttpRequest.newBuilder(shown), token))
          .exists();
      // It says that it works right before it starts the program that stays.
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> server.descendants().anyMatch(each -> arguments(each).equals(lasting())));

      seenByOthers(server, data);
      startedPrograms(data);
      privateFiles(data);
    } finally {
      server.destroy();
      server.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }
  }

  private static String ask(HttpRequest.Builder request, String token) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      var reply =
          http.send(
              request
                  .header("Authorization", "Bearer " + token)
                  .header("Content-Type", "application/json")
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).as(reply.body()).isIn(200, 202);
      return reply.body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> ownSecrets(Path data) throws IOException {
    List<String> secrets = new ArrayList<>();
    for (String name : List.of("secret.key", "admin-token", "pg.password")) {
      secrets.add(Files.readString(data.resolve(name)).strip());
    }
    return secrets;
  }

  /** The arguments of what the last step starts and waits for. */
  private String lasting() {
    return "cat " + directory.resolve("pipe") + " ";
  }

  /** None of a process that has gone. */
  private static String arguments(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", "" + process.pid(), "cmdline")).replace('\0', ' ');
    } catch (IOException e) {
      return "";
    }
  }

  /** Arguments can be read by every user; the environment only by the same user, thus by steps. */
  private void seenByOthers(Process server, Path data) throws IOException {
    List<String> seen = new ArrayList<>();
    for (ProcessHandle each :
        Stream.concat(Stream.of(server.toHandle()), server.descendants()).toList()) {
      try {
        Path proc = Path.of("/proc", "" + each.pid());
        String arguments = Files.readString(proc.resolve("cmdline")).replace('\0', ' ');
        String environment = bytes(proc.resolve("environ"));
        seen.add(arguments);
        assertThat(arguments).doesNotContain(SECRET).doesNotContain(ownSecrets(data));
        assertThat(environment).as(arguments).doesNotContain(ownSecrets(data));
      } catch (IOException e) {
        assertThat(each.isAlive()).as("%s: %s", each, e).isFalse();
      }
    }
    assertThat(seen)
        .as("the server, its database, the step, and what the step started")
        .anyMatch(a -> a.contains("dev.slipway.server.Main"))
        .anyMatch(a -> a.contains("bin/postgres"))
        .anyMatch(a -> a.contains(data.resolve("work").toString()))
        .anyMatch(a -> a.equals(lasting()));
  }

  /** Terraform and Ansible have ended by now; each start of them was written down. */
  private void startedPrograms(Path data) throws IOException {
    for (String program : List.of(TERRAFORM, ANSIBLE)) {
      String arguments = bytes(directory.resolve(program + ".arguments")).replace('\0', ' ');
      assertThat(arguments)
          .contains(program.equals(ANSIBLE) ? "site.yaml" : " apply ")
          .doesNotContain(SECRET)
          .doesNotContain(ownSecrets(data));
      assertThat(bytes(directory.resolve(program + ".environment")))
          .contains("PATH=")
          .doesNotContain(ownSecrets(data));
    }
    assertThat(directory.resolve("told")).as("the secret did reach them").hasContent(SECRET);
  }

  private static String bytes(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
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

  private Path provider() throws Exception {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        workflows: [{name: chores, file: ./work.yaml, category: goldenpath}]
        """);
    Files.createDirectories(tools.resolve("module"));
    Files.writeString(
        tools.resolve("module").resolve("main.tf"),
        """
        variable "password" {}
        output "length" { value = nonsensitive(length(var.password)) }
        """);
    Files.createDirectory(tools.resolve("group_vars"));
    Files.writeString(
        tools.resolve("group_vars").resolve("all.yaml"),
        "ansible_python_interpreter: '{{ ansible_playbook_python }}'\n");
    Files.writeString(
        tools.resolve("site.yaml"),
        """
        - hosts: all
          gather_facts: false
          tasks: [{copy: {content: '{{ password }}', dest: %s, mode: '0600'}, no_log: true}]
        """
            .formatted(directory.resolve("told")));
    int made = new ProcessBuilder("mkfifo", directory.resolve("pipe").toString()).start().waitFor();
    assertThat(made).isZero();
    Files.writeString(tools.resolve("work.yaml"), workflow());
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers: [{source: filesystem, path: %s}]".formatted(tools));
  }

  /** The last step stays until the test writes into the pipe. */
  private String workflow() {
    return """
    apiVersion: innominatus.io/v1alpha1
    kind: Workflow
    metadata: {name: chores}
    parameters: [{name: password, type: string, required: true}]
    steps:
      - name: module
        type: terraform
        config:
          path: module
          workspace: privacy
          binary: %s
          variables: {password: '{{ .parameters.password }}'}
      - name: playbook
        type: ansible
        config: {playbook: site.yaml, variables: {password: '{{ .parameters.password }}'}}
      - name: work
        type: shell
        env: {PASSWORD: '{{ .parameters.password }}'}
        script: |
          word={{ .parameters.password }}
          touch %s
          cat %s
          echo "$word" >/dev/null
    """
        .formatted(TERRAFORM, directory.resolve("working"), directory.resolve("pipe"));
  }

  /** First on the PATH: writes down what every user could have read, and becomes the real one. */
  private void witness(Path programs, String name, Path real) throws IOException {
    Path witness = programs.resolve(name);
    Files.writeString(
        witness,
        """
        #!/bin/sh
        cat /proc/$$/cmdline >>%1$s.arguments
        cat /proc/$$/environ >>%1$s.environment
        exec %2$s "$@"
        """
            .formatted(directory.resolve(name), real));
    Files.setPosixFilePermissions(witness, PosixFilePermissions.fromString("rwx------"));
  }

  private static Path found(String program, String path) {
    return Arrays.stream(path.split(":"))
        .map(each -> Path.of(each, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  private Process start(Path config, Path data, Path out) throws IOException {
    Path programs = Files.createDirectory(directory.resolve("programs"));
    witness(programs, TERRAFORM, TerraformProgram.any());
    witness(programs, ANSIBLE, found(ANSIBLE, TestAnsible.path()));
    List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 000; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.add("dev.slipway.server.Main");
    command.addAll(List.of("--config", config.toString(), "--data", data.toString()));
    command.addAll(List.of("--listen", "127.0.0.1:0"));
    ProcessBuilder server =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    server.environment().put("PATH", programs + ":" + TestAnsible.path());
    return server.start();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
