package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.runs.RecentRuns;
import dev.slipway.steps.Workspaces;
import dev.slipway.testbed.GitHttpServer;
import dev.slipway.testbed.GitRepository;
import dev.slipway.testbed.TestAnsible;
import dev.slipway.testbed.TestGitea;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The provider of examples/gitops on a real server: a repository is made, committed to, cloned,
 * checked by a playbook, tagged, updated and removed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GitopsExampleTest {
  private final TestGitea gitea = new TestGitea();
  private GitHttpServer http;
  private Running running;
  private Path bare;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path repositories = Files.createDirectories(directory.resolve("repositories"));
    http = GitHttpServer.start(repositories);
    gitea.organisation("acme");
    gitea.keepingFiles(repositories, http.base());
    bare = repositories.resolve("acme/shop-config.git");
    Files.writeString(directory.resolve("token"), "root-token\n");
    Path example = Path.of("..", "examples", "gitops").toAbsolutePath().normalize();
    try (Stream<Path> files = Files.walk(example)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = directory.resolve(example.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.writeString(
            copy,
            Files.readString(file)
                .replace("${env:GIT_HOST}", "127.0.0.1")
                .replace("${env:GIT_URL}", http.base())
                .replace("${env:GITEA_URL}", gitea.url())
                .replace("${env:GITEA_TOKEN}", "${file:token}")
                .replace(
                    "    timeout: 2m\n",
                    "    timeout: 2m\n    env: {PATH: '" + TestAnsible.path() + "'}\n"));
      }
    }
    running = new Running(Optional.of(directory.resolve("admin-config.yaml")));
  }

  @AfterAll
  void stop() {
    running.close();
    http.close();
    gitea.close();
  }

  private Map<?, ?> resource() {
    var app = running.asAdmin().get("/api/applications/shop").expect(200).json();
    return (Map<?, ?>) ((List<?>) app.get("resources")).getFirst();
  }

  private Map<String, Object> deploy(int replicas) throws IOException {
    String score =
        Files.readString(Path.of("..", "examples", "gitops", "score.yaml"))
            .replace("replicas: 3", "replicas: " + replicas);
    var made = running.asAdmin().yaml("/api/specs", score);
    assertThat(made.status()).as(made.body()).isIn(200, 201);
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              assertThat(resource().get("state")).as("%s", resource()).isNotEqualTo("failed");
              assertThat(resource().get("state")).isEqualTo("active");
              assertThat(GitRepository.git(bare, "show", "main:apps/shop/values.yaml"))
                  .contains("replicas: " + replicas);
            });
    return running
        .asAdmin()
        .get("/api/resources/" + resource().get("id") + "/outputs")
        .expect(200)
        .json();
  }

  @Test
  void a_repository_lives_from_its_creation_to_its_end() throws IOException {
    Map<String, Object> outputs = deploy(3);
    assertThat(outputs.toString())
        .contains("checked=3")
        .contains("url=" + gitea.url() + "/acme/shop-config");
    String first = GitRepository.git(bare, "rev-parse", "main").strip();
    assertThat(GitRepository.git(bare, "tag", "--points-at", first).strip())
        .isEqualTo("checked-" + first.substring(0, 12));
    assertThat(gitea.find("acme", "shop-config")).containsEntry("private", true);

    deploy(4);
    assertThat(GitRepository.git(bare, "rev-list", "--count", "main").strip()).isEqualTo("3");

    String run = running.asAdmin().get("/api/workflows/" + resource().get("runId")).body();
    assertThat(run).contains("commit_sha").contains("found_replicas").doesNotContain("root-token");
    workspacesGo();

    running.asAdmin().delete("/api/applications/shop?confirm=shop").expect(202);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> gitea.find("acme", "shop-config").isEmpty());
  }

  /** Not while the run may be retried, but afterwards. */
  private void workspacesGo() throws IOException {
    Path root = running.data.resolve("workspaces").resolve("gitops");
    Workspaces workspaces = new Workspaces(running.data, (run, other) -> false);
    Jdbi jdbi =
        Jdbi.create(
            running.database.jdbcUrl(), running.database.user(), running.database.password());
    RecentRuns recent = new RecentRuns(jdbi);
    assertThat(list(root)).hasSize(2);
    workspaces.tidy(there -> recent.among(there, Instant.now().minusSeconds(3600)));
    assertThat(list(root)).hasSize(2);
    workspaces.tidy(there -> recent.among(there, Instant.now().plusSeconds(3600)));
    assertThat(list(root)).isEmpty();
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }
}
