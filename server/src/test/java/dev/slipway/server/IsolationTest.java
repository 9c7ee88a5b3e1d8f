package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.Role;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.server.http.Route;
import dev.slipway.server.http.Route.Access;
import dev.slipway.server.http.Route.Content;
import dev.slipway.server.http.Route.Method;
import dev.slipway.server.http.Route.Trait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A team that has everything, and members of another one who know all its names and ids and try
 * them on every route: generated from the table of routes, so that none is forgotten.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IsolationTest {
  private static final int REQUESTS = 1_200;
  private static final String WORDS = "words-of-team-red";
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("rollback", "{\"revision\":1}"),
          Map.entry(
              "newResource", "{\"application\":\"redshop\",\"name\":\"n\",\"type\":\"volume\"}"),
          Map.entry("comment", "{\"comment\":\"mine now\"}"),
          Map.entry("team", "{\"team\":\"red\"}"),
          Map.entry("member", "{\"user\":\"blue-developer\",\"role\":\"developer\"}"),
          Map.entry("person", "{\"parameters\":{},\"team\":\"red\"}"),
          Map.entry("from", "{\"from\":\"first\"}"),
          Map.entry("nothing", "{}"));

  private Running running;
  private Database database;
  private final Map<Role, String> blue = new EnumMap<>(Role.class);
  private final Set<String> marks = new LinkedHashSet<>();
  private final List<String> runs = new ArrayList<>();
  private String red;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    write(tools);
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    running = new Running(Optional.of(config));
    database = Database.open(Running.url(running.database).address(), 4);
    running.asAdmin().post("/api/teams", "{\"name\":\"red\"}").expect(201);
    red = running.member("rosa", "red", "developer");
    for (Role role : List.of(Role.VIEWER, Role.DEVELOPER, Role.APPROVER)) {
      blue.put(role, running.member("blue-" + role.text(), "blue", role.text()));
    }
    objectsOfTeamRed();
  }

  private static void write(Path tools) throws IOException {
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
  }

  private void objectsOfTeamRed() {
    var made =
        running.as(red).yaml("/api/specs", ApplicationTest.score("redshop")).expect(201).json();
    marks.addAll(List.of(WORDS, "rosa"));
    marks.add(made.get("planHash").toString());
    marks.add(made.get("deploymentId").toString());
    marks.add(
        running.as(red).get("/api/applications/redshop").expect(200).json().get("id").toString());
    marks.add(Values.map(((List<?>) made.get("resources")).getFirst()).get("id").toString());
    await("/api/applications/redshop", "state", "active");
    Map<String, Object> family = ended(execute("family"), "failed");
    runs.add(family.get("id").toString());
    runs.add(Values.map(((List<?>) family.get("children")).getFirst()).get("id").toString());
    runs.add(Values.map(family.get("rollback")).get("runId").toString());
    String asking = execute("ask");
    await("/api/workflows/" + asking, "status", "waiting");
    runs.add(asking);
    var asked = running.as(red).get("/api/approvals?state=pending").expect(200).json();
    marks.add(Values.map(((List<?>) asked.get("data")).getFirst()).get("id").toString());
    var ofTheShop = running.as(red).get("/api/workflows?app=redshop").expect(200).json();
    for (Object run : (List<?>) ofTheShop.get("data")) {
      runs.add(Values.map(run).get("id").toString());
    }
    marks.addAll(runs);
  }

  private String execute(String path) {
    return running
        .as(red)
        .post(
            "/api/golden-paths/" + path + "/execute",
            "{\"parameters\":{\"words\":\"" + WORDS + "\"}}")
        .expect(202)
        .json()
        .get("id")
        .toString();
  }

  private Map<String, Object> ended(String run, String status) {
    await("/api/workflows/" + run, "status", status);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> running.as(red).get("/api/workflows/" + run).json().get("completedAt") != null);
    return running.as(red).get("/api/workflows/" + run).json();
  }

  private void await(String path, String field, String value) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(red).get(path).expect(200).json())
                    .containsEntry(field, value));
  }

  @AfterAll
  void stop() {
    database.close();
    running.close();
  }

  @Test
  void whatever_another_team_asks_for_it_learns_and_changes_nothing() {
    long seed = Long.getLong("isolation.seed", 1L);
    Random random = new Random(seed);
    List<Route> routes =
        running.server.routes().stream()
            .filter(r -> r.access() instanceof Access.Needs)
            .filter(r -> !r.path().startsWith("/api/events"))
            .toList();
    List<String> before = stateOfTeamRed();
    Set<String> tried = new HashSet<>();
    for (int i = 0; i < REQUESTS; i++) {
      Route route = routes.get(i % routes.size());
      List<Role> able =
          blue.keySet().stream()
              .filter(r -> ((Access.Needs) route.access()).action().permittedTo(r))
              .toList();
      if (!able.isEmpty()) {
        Request request = request(route, random);
        String answer = send(blue.get(able.get(random.nextInt(able.size()))), request);
        for (String own : request.own()) {
          answer = answer.replace(own, "");
        }
        assertThat(answer)
            .as("seed %d, request %d: %s", seed, i, request)
            .doesNotContain(marks.stream().filter(m -> !request.own().contains(m)).toList());
        tried.add(route.method() + " " + route.path());
      }
    }
    assertThat(stateOfTeamRed()).as("seed %d", seed).isEqualTo(before);
    assertThat(tried).hasSizeGreaterThan(45);
  }

  /** A request, and what of it the answer may repeat. */
  private record Request(Route route, String path, String body, Set<String> own) {}

  private Request request(Route route, Random random) {
    List<String> known = new ArrayList<>(marks);
    known.add("redshop"); // no mark: another team may use the name elsewhere
    Set<String> own = new HashSet<>();
    String path = route.path();
    for (String name : route.pathParameters()) {
      String value = pick(random, List.of("first", "red", "default", "family", "rosa", "a"));
      if (random.nextInt(10) < 9 && !name.equals("step")) {
        value = pick(random, name.equals("id") ? ids() : known);
      }
      own.add(value);
      path = path.replace("{" + name + "}", encoded(value));
    }
    StringBuilder query = new StringBuilder();
    for (Route.Parameter parameter : route.parameters()) {
      if (random.nextInt(3) == 0) {
        String value =
            switch (parameter.kind()) {
              case NUMBER -> "" + (1 + random.nextInt(3));
              case FLAG -> "true";
              case TEXT, TEXTS ->
                  pick(
                      random,
                      random.nextBoolean() && !kept(route, parameter)
                          ? known
                          : List.of("red", "default", "redshop"));
            };
        own.add(value);
        query.append(query.isEmpty() ? "?" : "&");
        query.append(parameter.name().replace("*", "words")).append("=").append(encoded(value));
      }
    }
    String body = "";
    if (route.consumes() != Content.NONE) {
      body =
          route.consumes() == Content.DOCUMENT && random.nextBoolean()
              ? ApplicationTest.score("redshop")
              : pick(random, List.copyOf(BODIES.values()));
    }
    return new Request(route, path + query, body, own);
  }

  /** Names that a write keeps: with a mark in it, the mark would be this team's own word. */
  private static boolean kept(Route route, Route.Parameter parameter) {
    return route.method() != Method.GET && parameter.name().equals("environment");
  }

  private List<String> ids() {
    return marks.stream().filter(m -> m.length() > 30).toList();
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String send(String token, Request request) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(running.server.url() + request.path()))
            .header("Authorization", "Bearer " + token)
            .timeout(Duration.ofSeconds(20))
            .method(
                request.route().method().name(),
                request.body().isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(request.body()));
    if (!request.body().isEmpty()) {
      boolean json = request.body().startsWith("{");
      builder.header("Content-Type", json ? "application/json" : "application/yaml");
    }
    try {
      HttpResponse<String> response =
          running.http.send(builder.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(request + ": " + response.body()).isNotEqualTo(500);
      return response.body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(request.toString(), e);
    }
  }

  /** Every row of the team, as text. */
  private List<String> stateOfTeamRed() {
    List<String> rows = new ArrayList<>();
    for (String what :
        List.of(
            "applications t WHERE team = 'red'",
            "resources t WHERE team = 'red'",
            "runs t WHERE team = 'red'",
            "approvals t WHERE team = 'red'",
            "environments t WHERE name = 'default'",
            "deployments t WHERE application_id IN (SELECT id FROM applications WHERE team ="
                + " 'red')",
            "steps t WHERE run_id IN (SELECT id FROM runs WHERE team = 'red')")) {
      rows.addAll(
          database
              .jdbi()
              .withHandle(
                  h ->
                      h.createQuery("SELECT t::text FROM " + what + " ORDER BY 1")
                          .mapTo(String.class)
                          .list()));
    }
    assertThat(rows).hasSizeGreaterThan(12);
    return rows;
  }

  @Test
  void logs_of_children_and_rollbacks_cannot_be_followed_by_another_team() {
    for (String run : runs) {
      for (String step : List.of("first", "first%2Fundo", "call", "write", "nothing")) {
        for (String query : List.of("", "?follow=true", "?follow=false")) {
          String path = "/api/workflows/" + run + "/steps/" + step + "/logs" + query;
          running.as(blue.get(Role.VIEWER)).get(path).expect(404);
        }
      }
      assertThat(
              running
                  .as(blue.get(Role.VIEWER))
                  .get("/api/workflows?parent=" + run)
                  .expect(200)
                  .json())
          .containsEntry("total", 0L);
    }
  }

  @Test
  void no_filter_of_a_stream_lets_events_of_another_team_through() throws Exception {
    EventLog log = new EventLog(database.jdbi());
    List<String> filters =
        List.of(
            "after=0",
            "after=0&app=redshop",
            "after=0&environment=default",
            "after=0&types=workflow.completed,workflow.failed,step.completed,end.of.test",
            "after=0&app=redshop&environment=default&types=resource.state,end.of.test");
    for (String path : List.of("/api/events", "/api/events/stream")) {
      for (String filter : filters) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(running.server.url() + path + "?" + filter))
                .header("Authorization", "Bearer " + blue.get(Role.VIEWER))
                .build();
        var response = running.http.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
          // Of the other team but for this one, which shows that the reader has come to the end.
          log.append(
              List.of(
                  new Event(
                      "end.of.test",
                      "redshop",
                      "default",
                      "blue",
                      "test",
                      Instant.now(),
                      Map.of())));
          readToTheEnd(lines, filter);
        }
      }
    }
  }

  private void readToTheEnd(BufferedReader lines, String filter) throws IOException {
    Set<String> ofRed =
        Set.copyOf(
            database
                .jdbi()
                .withHandle(
                    h ->
                        h.createQuery("SELECT 'id: ' || id FROM events WHERE team = 'red'")
                            .mapTo(String.class)
                            .list()));
    assertThat(ofRed).hasSizeGreaterThan(10);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      assertThat(line).as(filter).doesNotContain(marks);
      assertThat(ofRed).as(filter).doesNotContain(line);
      if (line.equals("event: end.of.test")) {
        return;
      }
    }
    throw new AssertionError("the stream ended: " + filter);
  }

  @Test
  void everything_of_a_team_that_is_tried_here_exists_for_the_team_itself() {
    for (String run : runs) {
      running.as(red).get("/api/workflows/" + run).expect(200);
    }
    assertThat(runs).hasSizeGreaterThanOrEqualTo(5);
    assertThat(running.as(red).get("/api/workflows/" + runs.get(1) + "/steps/first/logs").body())
        .contains(WORDS);
    assertThat(running.server.routes().stream().filter(r -> r.traits().contains(Trait.STREAM)))
        .as("streams, which are tested one by one above")
        .hasSize(3);
  }
}
