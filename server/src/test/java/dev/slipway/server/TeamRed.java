package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;

/** A team that has one object of each kind, and the texts of these that no other team may read. */
final class TeamRed {
  /** Parameters, log lines, messages of approvals: whatever the team writes. */
  static final String WORDS = "words-of-team-red";

  final String developer;
  final String approver;
  final Set<String> marks =
      new LinkedHashSet<>(List.of(WORDS, "rosa", "rolf", "redfarm", "redfiles"));
  final List<String> runs = new ArrayList<>();
  final Owned things;
  private final Running running;
  private int made;

  /** What the places of a route can be filled with. */
  record Owned(
      String application,
      String environment,
      String team,
      String user,
      String plan,
      String deployment,
      String resource,
      String run,
      String approval,
      String key) {

    /** Names of the same shape that no team has. */
    static Owned missing(Owned like) {
      return new Owned(
          "ghostly",
          "ghostland",
          "ghosts",
          "nobody",
          "0".repeat(like.plan().length()),
          UUID.randomUUID().toString(),
          UUID.randomUUID().toString(),
          UUID.randomUUID().toString(),
          UUID.randomUUID().toString(),
          UUID.randomUUID().toString());
    }

    List<String> all() {
      return List.of(
          application, environment, team, user, plan, deployment, resource, run, approval, key);
    }
  }

  TeamRed(Running running) {
    this.running = running;
    running.asAdmin().post("/api/teams", "{\"name\":\"red\"}").expect(201);
    developer = running.member("rosa", "red", "developer");
    approver = running.member("rolf", "red", "approver");
    running.as(developer).post("/api/environments", "{\"name\":\"redland\"}").expect(201);
    marks.addAll(deployed("redfarm", "redland").all().subList(4, 7));
    gone("oldshop");
    Owned shop = deployed("redshop", "default");
    await("/api/applications/redshop", "state", "active");
    await("/api/applications/redfarm?environment=redland", "state", "active");
    Map<String, Object> family = failedFamily();
    runs.addAll(
        List.of(
            family.get("id").toString(),
            first(family.get("children")).get("id").toString(),
            Values.map(family.get("rollback")).get("runId").toString()));
    String asking = execute("ask");
    await("/api/workflows/" + asking, "status", "waiting");
    runs.add(asking);
    things =
        new Owned(
            "redshop",
            "redland",
            "red",
            "rosa",
            shop.plan(),
            shop.deployment(),
            shop.resource(),
            runs.getFirst(),
            approvalOf(asking),
            spareKey());
    for (Object run :
        (List<?>) running.as(developer).get("/api/workflows?app=redshop").json().get("data")) {
      runs.add(Values.map(run).get("id").toString());
    }
    marks.addAll(runs);
    marks.addAll(things.all().subList(4, 10));
  }

  /** The workflows that it runs: one that fails, with a child and a rollback, and one that asks. */
  static Path config(Path directory) throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        workflows:
          - {name: family, file: ./family.yaml, category: goldenpath}
          - {name: part, file: ./part.yaml}
          - {name: ask, file: ./ask.yaml, category: goldenpath}
        """);
    String head = "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: %s}\n";
    Files.writeString(
        tools.resolve("family.yaml"),
        head.formatted("family")
            + """
            parameters: [{name: words, type: string, default: none}]
            steps:
              - name: first
                type: shell
                script: echo {{ .parameters.words }}
                compensate: [{name: undo, type: shell, script: 'echo {{ .parameters.words }}'}]
              - {name: call, workflow: part, parameters: {words: '{{ .parameters.words }}'}}
              - {name: fall, type: shell, script: exit 3, on_error: rollback}
            """);
    Files.writeString(
        tools.resolve("part.yaml"),
        head.formatted("part")
            + """
            parameters: [{name: words, type: string}]
            steps:
              - {name: first, type: shell, script: 'echo {{ .parameters.words }}'}
            """);
    Files.writeString(
        tools.resolve("ask.yaml"),
        head.formatted("ask")
            + """
            parameters: [{name: words, type: string, default: none}]
            steps:
              - {name: first, type: approval, message: '{{ .parameters.words }}'}
            """);
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        """
        providers: [{source: filesystem, path: %s}]
        clusters: {away: {server: 'https://127.0.0.1:9', token: t}}
        """
            .formatted(tools));
  }

  /** The same again, new where a request may use it up. */
  Owned anew() {
    String name = "red-" + ++made;
    running.as(developer).post("/api/environments", "{\"name\":\"" + name + "\"}").expect(201);
    Owned shop = deployed(name, "default");
    String asking = execute("ask");
    await("/api/workflows/" + asking, "status", "waiting");
    return new Owned(
        name,
        name,
        things.team(),
        things.user(),
        shop.plan(),
        shop.deployment(),
        shop.resource(),
        things.run(),
        approvalOf(asking),
        spareKey());
  }

  private static String score(String name) {
    return ApplicationTest.score(name)
        .replace("files", "redfiles")
        .replace("nginx", "nginx:" + WORDS);
  }

  private Owned deployed(String name, String environment) {
    return deployed(name, environment, score(name));
  }

  private Owned deployed(String name, String environment, String score) {
    var reply =
        running
            .as(developer)
            .yaml("/api/specs?environment=" + environment, score)
            .expect(201)
            .json();
    var shown =
        running.as(developer).get("/api/applications/" + name + "?environment=" + environment);
    marks.add(shown.expect(200).json().get("id").toString());
    return new Owned(
        name,
        environment,
        "red",
        "rosa",
        reply.get("planHash").toString(),
        reply.get("deploymentId").toString(),
        first(reply.get("resources")).get("id").toString(),
        "",
        "",
        "");
  }

  /** An application that was: its name is free again, and what it was is still the team's. */
  private void gone(String name) {
    Owned was = deployed(name, "default", ApplicationTest.score(name));
    marks.addAll(was.all().subList(4, 7));
    running.as(developer).delete("/api/applications/" + name + "?confirm=" + name).expect(202);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(developer).get("/api/applications/" + name).status() == 404);
  }

  private String spareKey() {
    return running
        .as(developer)
        .post("/api/profile/api-keys", "{\"name\":\"spare\"}")
        .expect(201)
        .json()
        .get("id")
        .toString();
  }

  private String approvalOf(String run) {
    var pending = running.as(developer).get("/api/approvals?state=pending").expect(200).json();
    return ((List<?>) pending.get("data"))
        .stream()
            .map(Values::map)
            .filter(approval -> run.equals(approval.get("runId")))
            .map(approval -> approval.get("id").toString())
            .findFirst()
            .orElseThrow();
  }

  private String execute(String path) {
    return running
        .as(developer)
        .post(
            "/api/golden-paths/" + path + "/execute",
            "{\"parameters\":{\"words\":\"" + WORDS + "\"}}")
        .expect(202)
        .json()
        .get("id")
        .toString();
  }

  private Map<String, Object> failedFamily() {
    String path = "/api/workflows/" + execute("family");
    await(path, "status", "failed");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(developer).get(path).json().get("completedAt") != null);
    return running.as(developer).get(path).json();
  }

  private void await(String path, String field, String value) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(developer).get(path).expect(200).json())
                    .containsEntry(field, value));
  }

  private static Map<String, Object> first(Object list) {
    return Values.map(((List<?>) list).getFirst());
  }
}
