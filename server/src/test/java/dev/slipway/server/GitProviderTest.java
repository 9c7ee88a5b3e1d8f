package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.GitHttpServer;
import dev.slipway.testbed.GitRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider that comes from a Git server which asks for a password. */
class GitProviderTest {
  private static final String PASSWORD = "planted-git-passw0rd";

  @TempDir Path directory;
  private GitRepository repository;
  private GitHttpServer git;
  private Path config;
  private Running running;
  private String dora;

  @BeforeEach
  void start() throws IOException {
    repository = GitRepository.create(directory, "providers");
    git = GitHttpServer.start(directory).asks("robot", PASSWORD);
    Files.writeString(directory.resolve("password"), PASSWORD + "\n");
    config = directory.resolve("admin-config.yaml");
    configure("branch: main");
  }

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
    }
    git.close();
  }

  private void configure(String ref) throws IOException {
    Files.writeString(
        config,
        """
        providers:
          - source: git
            name: note-team
            url: %s
            %s
            path: team/notes
            pollInterval: 1h
            credentials: {username: robot, password: '${file:password}'}
        """
            .formatted(git.url(repository), ref));
  }

  private void serve() {
    running = new Running(Optional.of(config));
    dora = running.member("dora", "red", "developer");
  }

  /** A provider that waits for the gate and then says what its own script says. */
  private String version(String version) {
    write(version);
    return repository.commit(version);
  }

  private void write(String version) {
    repository.write(
        "team/notes/provider.yaml",
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: notes, version: %s}
        capabilities: {resourceTypes: [note]}
        workflows: [{name: make-note, file: ./make.yaml, category: provisioner}]
        """
            .formatted(version));
    repository.write(
        "team/notes/make.yaml",
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make-note}
        steps:
          - name: begin
            type: shell
            config: {script: 'touch %1$s/begun; until [ -e %1$s/gate ]; do sleep 0.1; done'}
          - name: say
            type: shell
            config: {script: 'sh "$SLIPWAY_PROVIDER_DIR/say.sh" > %1$s/said; echo "$SLIPWAY_PROVIDER_DIR" > %1$s/where'}
        """
            .formatted(directory));
    repository.write("team/notes/say.sh", "echo " + version + "\n");
  }

  private Map<String, Object> provider() {
    return running.as(dora).get("/api/providers/notes").expect(200).json();
  }

  private void awaitCommit(String commit) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(dora).get("/api/providers/notes").body().contains(commit));
  }

  private void awaitFile(String name) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                Files.exists(directory.resolve(name)) && Files.size(directory.resolve(name)) >= 0);
  }

  private void ask(String application) {
    running
        .as(dora)
        .post(
            "/api/resources",
            "{\"application\":\"%s\",\"name\":\"note\",\"type\":\"note\"}".formatted(application))
        .expect(201);
  }

  @Test
  void a_run_keeps_its_commit_over_force_pushes_reloads_and_restarts() throws IOException {
    String first = version("1.0.0");
    serve();
    awaitCommit(first);
    ask("memo");
    awaitFile("begun");

    write("2.0.0");
    String second = repository.rewrite("instead");
    repository.prune();
    Running.Reply refreshed =
        running.asAdmin().post("/api/providers/notes/refresh", "").expect(200);
    assertThat(refreshed.json()).containsEntry("commit", second).containsEntry("version", "2.0.0");
    running.asAdmin().post("/api/admin/reload", "").expect(200);

    running.server.close();
    git.close();
    Files.delete(directory.resolve("begun"));
    try (SlipwayServer restarted = SlipwayServer.start(running.options(Optional.of(config)))) {
      awaitFile("begun");
      Files.writeString(directory.resolve("gate"), "");
      awaitFile("where");
      assertThat(directory.resolve("said")).hasContent("1.0.0");
      assertThat(directory.resolve("where"))
          .content()
          .startsWith(running.data.resolve("git/checkouts").resolve(first).toString());
      assertThat(restarted.url()).isNotEmpty();
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void what_is_known_of_a_source_is_shown_without_its_secrets() throws IOException {
    String first = version("1.0.0");
    repository.tag("v1");
    configure("tag: v1");
    serve();
    awaitCommit(first);
    Map<String, Object> source = (Map<String, Object>) provider().get("git");
    assertThat(source)
        .containsEntry("url", git.url(repository))
        .containsEntry("ref", "v1")
        .containsEntry("kind", "tag")
        .containsEntry("path", "team/notes")
        .containsEntry("commit", first)
        .containsEntry("warnings", List.of())
        .containsKeys("fetchedAt", "nextPoll")
        .doesNotContainKey("error");

    version("2.0.0");
    repository.tag("v1");
    running.asAdmin().post("/api/providers/notes/refresh", "").expect(200);
    assertThat(provider().toString()).contains("tag 'v1' was moved", first + " stays in service");
    for (String path :
        List.of(
            "/api/admin/providers", "/api/admin/config", "/api/providers", "/api/events/history")) {
      assertThat(running.asAdmin().get(path).body()).doesNotContain(PASSWORD);
    }
    assertThat(running.asAdmin().get("/api/admin/config").body()).contains("${file:password}");
  }

  @Test
  void a_server_starts_although_git_refuses_and_says_how_to_mend_it() throws IOException {
    String first = version("1.0.0");
    Files.writeString(directory.resolve("password"), "planted-wrong-passw0rd");
    serve();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                running
                    .asAdmin()
                    .get("/api/admin/providers")
                    .body()
                    .contains("refuses the credentials"));
    Running.Reply refused =
        running.asAdmin().post("/api/providers/note-team/refresh", "").expect(409);
    assertThat(refused.body())
        .contains("provider-not-loaded", "refuses the credentials")
        .doesNotContain("planted-wrong-passw0rd");
    running.asAdmin().post("/api/providers/none/refresh", "").expect(404);

    Files.writeString(directory.resolve("password"), PASSWORD);
    running.asAdmin().post("/api/admin/reload", "").expect(200);
    awaitCommit(first);
  }
}
