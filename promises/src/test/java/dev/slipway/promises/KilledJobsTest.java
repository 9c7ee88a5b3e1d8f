package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import dev.slipway.testbed.node.ProcessNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed while a step runs as a Job: one Job, one effect, one log. */
@Tag("proof")
@Timeout(900)
class KilledJobsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String IMAGE = "registry.test/shell:1";
  private static final int COMMITS = 8;

  @TempDir Path directory;
  private final String namespace = TestControlPlane.freshNamespace().name();
  private final TestDatabase database = TestPostgres.freshDatabase();
  private final AtomicInteger commitsLeft = new AtomicInteger(Integer.MAX_VALUE);
  private ProcessNode node;
  private PostgresProxy proxy;
  private Yard tables;
  private Replica server;

  @BeforeEach
  void start() throws IOException {
    node = ProcessNode.start(TestControlPlane.shared(), IMAGE);
    proxy = PostgresProxy.of(database);
    try (Witness witness = new Witness()) {
      tables = new Yard(directory.resolve("yard"), database, witness);
    }
    provider();
    server = new Replica(directory.resolve("server"), config(), proxy.through(database));
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            if (commitsLeft.decrementAndGet() == 0) {
              server.kill();
              throw new PostgresProxy.Cut();
            }
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
    tables.close();
    proxy.close();
    node.close();
  }

  private void provider() throws IOException {
    Path provider = Files.createDirectories(directory.resolve("provider"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: jobs, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: job, operations: {create: {workflow: work}}}
        workflows:
          - {name: work, file: work.yaml}
        """);
    Files.writeString(
        provider.resolve("work.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: work}
        steps:
          - name: work
            type: shell
            executor: kubernetes-job
            script: |
              W='%s'
              echo "$SLIPWAY_IDEMPOTENCY_KEY" >> "$W/$APP_NAME.starts"
              for i in 1 2 3; do echo "begun $i"; done
              until [ -e "$W/$APP_NAME.go" ]; do sleep 0.1; done
              for i in 1 2 3; do echo "done $i"; done
              echo made=it > "$SLIPWAY_OUTPUT"
        """
            .formatted(directory));
  }

  private Path config() throws IOException {
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        """
        providers:
          - {source: filesystem, path: ./provider, grants: {clusters: [east]}}
        clusters:
          east:
            kubeconfig: ${file:%s}
            jobs:
              image: %s
              namespace: %s
              nodeSelector: {testbed.slipway.dev/runs-processes: 'true'}
              tolerations: [{key: testbed.slipway.dev/runs-processes, operator: Exists}]
        engine: {lease: 5s, pollInterval: 1s}
        """
            .formatted(TestControlPlane.kubeconfig(), IMAGE, namespace));
  }

  @Test
  void a_server_that_is_killed_while_a_job_runs_goes_on_with_it_and_its_log() throws IOException {
    deploy("killed");
    await().atMost(PATIENCE).until(() -> log("killed").contains("begun 3"));
    server.kill();
    server.start();
    Files.createFile(directory.resolve("killed.go"));
    once("killed");
    assertThat(
            log("killed")
                .lines()
                .filter(line -> line.contains("stdout"))
                .map(line -> line.replaceAll(".*\"m\":\"([^\"]*)\".*", "$1")))
        .containsExactly("begun 1", "begun 2", "begun 3", "done 1", "done 2", "done 3");
  }

  @Test
  void a_server_that_stops_in_order_leaves_its_job_to_the_next_one() throws IOException {
    deploy("stopped");
    await().atMost(PATIENCE).until(() -> log("stopped").contains("begun 3"));
    server.stop();
    assertThat(jobs()).singleElement().matches(job -> job.getStatus().getActive() == 1);
    server.start();
    Files.createFile(directory.resolve("stopped.go"));
    once("stopped");
  }

  @Test
  void a_server_that_is_killed_at_any_commit_leaves_one_job_for_an_attempt() throws IOException {
    int kills = 0;
    for (int n = 1; n <= COMMITS; n++) {
      String application = "commit-" + n;
      Files.createFile(directory.resolve(application + ".go"));
      deploy(application);
      commitsLeft.set(n);
      await()
          .atMost(PATIENCE)
          .until(() -> commitsLeft.get() <= 0 || runs(application).equals(List.of("succeeded")));
      boolean killed = commitsLeft.getAndSet(Integer.MAX_VALUE) <= 0;
      if (killed) {
        kills++;
        server.start();
      }
      once(application);
    }
    assertThat(kills).as("kills").isGreaterThanOrEqualTo(COMMITS / 2);
    assertThat(jobs()).hasSize(COMMITS);
  }

  private void deploy(String application) throws IOException {
    Client.Answer answer =
        new Client(() -> server)
            .post(
                "/api/applications",
                "application/yaml",
                Yard.score(application, "job"),
                application);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  /** It succeeds, in its first attempt, with one start of its script. */
  private void once(String application) throws IOException {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(runs(application)).containsExactly("succeeded"));
    assertThat(Files.readAllLines(directory.resolve(application + ".starts"))).hasSize(1);
    assertThat(
            tables.rows(
                "SELECT s.outputs->>'made' FROM steps s JOIN runs r ON r.id = s.run_id"
                    + " WHERE r.application = ?",
                application))
        .containsExactly("it");
  }

  private List<String> runs(String application) {
    return tables.rows("SELECT state FROM runs WHERE application = ?", application);
  }

  private String log(String application) {
    return String.join(
        "",
        tables.rows(
            "SELECT l.lines FROM step_logs l JOIN runs r ON r.id = l.run_id"
                + " WHERE r.application = ? ORDER BY l.attempt, l.epoch, l.seq",
            application));
  }

  private List<Job> jobs() {
    return TestControlPlane.client().batch().v1().jobs().inNamespace(namespace).list().getItems();
  }
}
