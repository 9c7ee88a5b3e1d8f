package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.intake.ScoreIntake;
import dev.slipway.engine.intake.Submission;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.server.HostileDocuments.Attack;
import dev.slipway.server.HostileDocuments.Hostile;
import dev.slipway.testbed.PostgresVersion;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Team red writes thousands of documents against the bundled providers and the executors of steps
 * while the application of team blue is watched: nothing of it changes by a byte, and when team red
 * has removed what it made, nothing new is there outside its own applications.
 */
class HostileTeamTest {
  private static final long SEED = 20261116;
  private static final int DOCUMENTS = 5_200;

  private static final Path NOW = Path.of("..", "providers");
  private static final Path OLDER = Path.of("src", "test", "resources", "providers-1.0.0");

  /** How many documents there are, and how many of each attack are carried out. */
  private record Plan(int documents, int executed) {}

  /** What came of the documents. */
  private record Outcome(
      int sent,
      Map<Attack, Integer> executed,
      Set<String> applications,
      Map<String, String> before,
      Map<String, String> after) {
    /** Whether it is called by an application of the attacker: that may be left behind. */
    private boolean ofAttacker(String name) {
      return applications.stream()
          .anyMatch(
              own ->
                  name.matches("file data/providers/[a-z-]+/default/" + own + "(/.*)?")
                      || name.contains(" default_" + own.replace('-', '_') + "_"));
    }

    /** What differs, as lines. */
    List<String> differences() {
      List<String> lines = new ArrayList<>();
      before.forEach(
          (name, value) -> {
            if (!value.equals(after.get(name))) {
              lines.add("changed or gone: " + name);
            }
          });
      after.keySet().stream()
          .filter(name -> !before.containsKey(name) && !ofAttacker(name))
          .forEach(name -> lines.add("new: " + name));
      return lines;
    }
  }

  @Test
  void thousands_of_hostile_documents_change_nothing_of_another_team(@TempDir Path directory)
      throws Exception {
    Outcome outcome = attack(directory, NOW, new Plan(DOCUMENTS, 10));
    assertThat(outcome.differences()).isEmpty();
    assertThat(outcome.sent()).isGreaterThanOrEqualTo(5_000);
    assertThat(outcome.executed().values().stream().mapToInt(n -> n).sum())
        .isGreaterThanOrEqualTo(60);
    assertThat(outcome.executed())
        .containsKeys(
            Attack.FOREIGN_NAMES,
            Attack.TRAVERSAL,
            Attack.OPTIONS,
            Attack.QUOTING,
            Attack.TEMPLATES,
            Attack.SQL,
            Attack.UNICODE,
            Attack.INJECTED_NAMES);
  }

  @Test
  void the_same_documents_find_the_holes_of_the_providers_of_version_1_0_0(@TempDir Path directory)
      throws Exception {
    assertThat(attack(directory, OLDER, new Plan(400, 5)).differences())
        .anyMatch(line -> line.contains("roles and databases"));
  }

  private static Outcome attack(Path directory, Path providers, Plan plan) throws Exception {
    // On a server of its own: no step may log in as a superuser where the state is.
    TestDatabase target = TestPostgres.freshDatabase(PostgresVersion.V17);
    Path data = Files.createDirectories(directory.resolve("world/data"));
    Files.createDirectories(data.resolve("providers/probe"));
    try (Running running =
        new Running(
            TestPostgres.freshDatabase(),
            data,
            Optional.of(config(directory, target)),
            providers)) {
      String blue = running.member("bea", "blue", "developer");
      String red = running.member("rosa", "red", "developer");
      deployed(running, blue);
      Watched watched = new Watched(running, target, blue);
      Map<String, Object> login = outputs(running, blue, "db");
      try (var connection = Watched.connect(login);
          var statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE keep AS SELECT id, 'word-' || id AS word FROM generate_series(1, 50) id");
      }
      Map<String, String> before = watched.snapshot();
      before.put("rows", Watched.rows(login));
      HostileDocuments generator =
          new HostileDocuments(SEED, knowledge(running, blue, directory.resolve("world/canary")));
      Attacker attacker = new Attacker(running, red);
      attacker.send(generator, plan);
      attacker.settle();
      attacker.change(generator);
      attacker.settle();
      attacker.destroy();
      Map<String, String> after = watched.snapshot();
      after.put("rows", Watched.rows(login));
      running.as(blue).delete("/api/applications/bluefarm?confirm=bluefarm").expect(202);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> running.as(blue).get("/api/applications/bluefarm").status() == 404);
      return new Outcome(
          plan.documents(), attacker.executed, attacker.made.keySet(), before, after);
    }
  }

  private static Path config(Path directory, TestDatabase target) throws IOException {
    Path probe = Files.createDirectories(directory.resolve("probe"));
    Files.writeString(
        probe.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: probe, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: probe
              operations: {create: {workflow: make}, update: {workflow: make}, delete: {workflow: drop}}
        workflows:
          - {name: make, file: ./make.yaml}
          - {name: drop, file: ./drop.yaml}
        configuration: {connection: postgres}
        """);
    Files.writeString(
        probe.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make}
        parameters: [{name: word, type: string, default: none}]
        steps:
          - name: shell
            type: shell
            script: |
              set -eu
              cd "$SLIPWAY_PROVIDER_DATA"
              mkdir -p {{ .parameters.resource_id }}
              cd {{ .parameters.resource_id }}
              printf '%s' {{ .parameters.word }} > bare
              printf '%s' "in {{ .parameters.word }} text" > double
              printf '%s' 'in {{ .parameters.word }} text' > single
              cat > document <<END
              in {{ .parameters.word }} text
              END
          - name: sql
            type: sql
            config:
              connection: '{{ .config.connection }}'
              query: SELECT {{ .parameters.word }}::text AS word
          - name: again
            type: shell
            env: {WORD: '{{ .parameters.word }}'}
            stdin: '{{ .parameters.word }}'
            script: cat > "$SLIPWAY_PROVIDER_DATA"/{{ .parameters.resource_id }}/stdin
        outputs: {word: '{{ .parameters.word }}'}
        """);
    Files.writeString(
        probe.resolve("drop.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: drop}
        steps:
          - {name: remove, type: shell, script: 'rm -rf "$SLIPWAY_PROVIDER_DATA"/{{ .parameters.resource_id }}'}
        """);
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        """
        providers: [{source: filesystem, path: %s, grants: {connections: [postgres]}}]
        connections: {postgres: {url: '%s', username: '%s', password: '%s'}}
        """
            .formatted(probe, target.jdbcUrl(), target.user(), target.password()));
  }

  private static void deployed(Running running, String blue) throws SQLException {
    running
        .as(blue)
        .yaml(
            "/api/specs",
            """
            apiVersion: score.dev/v1b1
            metadata: {name: bluefarm}
            resources:
              db: {type: postgres}
              files: {type: volume}
              code: {type: git-repo}
              commons: {type: volume, id: commons, metadata: {annotations: {slipway.dev/shared-with: red}}}
            """)
        .expect(201);
    await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () ->
                assertThat(running.as(blue).get("/api/applications/bluefarm").json())
                    .containsEntry("state", "active"));
  }

  private static Map<String, Object> outputs(Running running, String blue, String resource) {
    var reply =
        running
            .as(blue)
            .get(
                "/api/resources/"
                    + resource(running, blue, resource).get("id")
                    + "/outputs?reveal=true")
            .expect(200)
            .json();
    return reply.get("outputs") instanceof Map<?, ?> map ? Values.map(map) : reply;
  }

  private static Map<String, Object> resource(Running running, String blue, String name) {
    var shown = running.as(blue).get("/api/applications/bluefarm").expect(200).json();
    return ((List<?>) shown.get("resources"))
        .stream()
            .map(Values::map)
            .filter(r -> name.equals(r.get("name")))
            .findFirst()
            .orElseThrow();
  }

  /** Everything that team blue's resources are called. */
  private static HostileDocuments.Knowledge knowledge(Running running, String blue, Path canary) {
    List<String> foreign = new ArrayList<>(List.of("bluefarm", "blue", "default", "commons"));
    Map<String, List<String>> fitting = new TreeMap<>();
    for (String name : List.of("db", "files", "code", "commons")) {
      Map<String, Object> outputs = outputs(running, blue, name);
      foreign.add(name);
      foreign.add(String.valueOf(resource(running, blue, name).get("id")));
      for (String key : List.of("path", "database", "username", "first_commit", "url")) {
        if (outputs.get(key) != null) {
          foreign.add(String.valueOf(outputs.get(key)));
          fitting
              .computeIfAbsent(key, k -> new ArrayList<>())
              .add(String.valueOf(outputs.get(key)));
        }
      }
      if (outputs.get("path") != null) {
        String path = String.valueOf(outputs.get("path"));
        String below = path.substring(path.indexOf("default/bluefarm")).replace("/data", "");
        foreign.add(below);
        fitting.computeIfAbsent("adopt", k -> new ArrayList<>()).add(below);
      }
    }
    return new HostileDocuments.Knowledge(List.copyOf(foreign), fitting, canary.toString());
  }

  /** Team red at work. */
  private static final class Attacker {
    final Map<Attack, Integer> executed = new EnumMap<>(Attack.class);
    private final Running running;
    private final String red;
    private final Map<String, Hostile> made = new TreeMap<>();

    Attacker(Running running, String red) {
      this.running = running;
      this.red = red;
    }

    /**
     * Some of each attack that are accepted are carried out. The others are read by the intake, and
     * planned by the server when that accepts them.
     */
    void send(HostileDocuments generator, Plan plan) {
      for (int i = 0; i < plan.documents(); i++) {
        Hostile hostile = generator.next();
        boolean enough = executed.getOrDefault(hostile.attack(), 0) >= plan.executed();
        if (enough && refusedByIntake(hostile)) {
          continue;
        }
        HttpResponse<String> reply = post(enough ? "?dryRun=true" : "", hostile.text());
        assertThat(reply.statusCode()).as(hostile + reply.body()).isLessThan(500);
        if (!enough && reply.statusCode() < 300) {
          executed.merge(hostile.attack(), 1, Integer::sum);
          // The document may have chosen a name of its own.
          String name = String.valueOf(Json.readMap(reply.body()).get("name"));
          made.put(name, new Hostile(hostile.attack(), name, hostile.type(), hostile.text()));
        }
      }
    }

    private static boolean refusedByIntake(Hostile hostile) {
      byte[] bytes = hostile.text().getBytes(StandardCharsets.UTF_8);
      return ScoreIntake.read("score.yaml", bytes, Submission.uploaded(Map.of()))
          instanceof ScoreIntake.Outcome.Refused;
    }

    /** Without a comparison with the contract, which other tests make. */
    private HttpResponse<String> post(String query, String text) {
      try {
        return running.http.send(
            HttpRequest.newBuilder(URI.create(running.server.url() + "/api/specs" + query))
                .header("Authorization", "Bearer " + red)
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(text))
                .build(),
            HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Changes what there is by documents that name things of team blue. */
    void change(HostileDocuments generator) {
      made.values().forEach(hostile -> post("", generator.again(hostile)));
    }

    void settle() {
      made.keySet()
          .forEach(
              name ->
                  await()
                      .atMost(Duration.ofSeconds(120))
                      .until(
                          () -> {
                            agree();
                            return running
                                .as(red)
                                .get("/api/applications/" + name)
                                .json()
                                .get("state");
                          },
                          state -> List.of("active", "failed", "degraded").contains(state)));
    }

    /** A careless operator says yes to everything. */
    private void agree() {
      var pending = running.asAdmin().get("/api/approvals?state=pending").json().get("data");
      for (Object each : (List<?>) pending) {
        running.asAdmin().post("/api/approvals/" + Values.map(each).get("id") + "/approve", "{}");
      }
    }

    /** Gone, or its removal has failed, which leaves what is its own. */
    private boolean goneOrFailed(String name) {
      var reply = running.as(red).get("/api/applications/" + name);
      if (reply.status() == 404) {
        return true;
      }
      return "failed".equals(reply.json().get("deploymentStatus"));
    }

    void destroy() {
      made.keySet()
          .forEach(
              name ->
                  running
                      .as(red)
                      .delete("/api/applications/" + name + "?confirm=" + name)
                      .expect(202));
      made.keySet()
          .forEach(name -> await().atMost(Duration.ofSeconds(120)).until(() -> goneOrFailed(name)));
    }
  }
}
