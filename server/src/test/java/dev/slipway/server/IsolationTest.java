package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.access.Role;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.server.RightRequests.Request;
import dev.slipway.server.TeamRed.Owned;
import dev.slipway.web.Route;
import dev.slipway.web.Route.Access;
import dev.slipway.web.Route.Content;
import dev.slipway.web.Route.Method;
import dev.slipway.web.Route.Trait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.statement.SqlStatements;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members of another team who know all names and ids of team red and try them on every route:
 * generated from the table of routes, so that none is forgotten.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IsolationTest {
  private static final int REQUESTS = 1_200;
  private static final List<Role> ROLES = List.of(Role.VIEWER, Role.DEVELOPER, Role.APPROVER);

  /** Answers that show team red itself nothing of its own, and why. */
  private static final Map<String, String> SHOW_NOTHING =
      Map.ofEntries(
          Map.entry("stats", "numbers, which are looked at one by one"),
          Map.entry("listEnvironments", "shared environments are everybody's"),
          Map.entry("showEnvironment", "the name and the team, which the request knows"),
          Map.entry("listGoldenPaths", "paths are everybody's"),
          Map.entry("showGoldenPath", "paths are everybody's"),
          Map.entry("listProviders", "providers are everybody's"),
          Map.entry("showProvider", "providers are everybody's"),
          Map.entry("providerStats", "providers are everybody's"),
          Map.entry("listTeams", "names of teams"),
          Map.entry("listClusters", "clusters are the administrator's, the same for every caller"),
          Map.entry("showCluster", "clusters are the administrator's, the same for every caller"),
          Map.entry("listHealth", "times and words of the engine, no name"),
          Map.entry(
              "listKinds",
              "kinds of objects: names, routes and columns, the same for every caller"),
          Map.entry("explainApplication", "there is nothing to explain"),
          Map.entry("explainApplicationSpec", "there is nothing to explain"),
          Map.entry("explainNode", "there is nothing to explain"),
          Map.entry("nodeGraph", "it waits for nothing: the name, which the request knows"),
          Map.entry("nodeGraphExport", "it waits for nothing: the name, which the request knows"),
          Map.entry("runGraphExport", "names of steps and workflows as text, without ids"));

  private Running running;
  private Database database;
  private Notifications notifications;
  private TeamRed red;

  /** Of a team that has much of its own, and of one that has nothing and so cannot be reminded. */
  private final Map<Role, String> blue = new EnumMap<>(Role.class);

  private final Map<Role, String> violet = new EnumMap<>(Role.class);
  private Instant settled;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    running = new Running(Optional.of(TeamRed.config(directory)));
    database = Database.open(Running.url(running.database).address(), 4);
    notifications = new Notifications(database);
    red = new TeamRed(running);
    for (Role role : ROLES) {
      blue.put(role, running.member("blue-" + role.text(), "blue", role.text()));
      violet.put(role, running.member("violet-" + role.text(), "violet", role.text()));
    }
    settled =
        database
            .jdbi()
            .withHandle(h -> h.createQuery("SELECT clock_timestamp()").mapTo(Instant.class).one());
  }

  @AfterAll
  void stop() {
    notifications.close();
    database.close();
    running.close();
  }

  /** What was answered. */
  private record Reply(int status, String body) {}

  @Test
  void the_right_request_to_each_route_shows_and_changes_nothing_for_another_team() {
    RightRequests right = new RightRequests(red.things);
    Set<String> before = stateOfTeamRed();
    Set<String> tried = new TreeSet<>();
    for (Route route : routes()) {
      for (Request request : right.of(route)) {
        for (Role role : ROLES) {
          Reply reply = send(violet.get(role), request);
          nothingOfRed(request, reply, "as " + role);
          assertThat(refused(route, role, reply)).as("%s as %s: %s", request, role, reply).isTrue();
          tried.add(route.operation());
        }
      }
      unchanged(before, route.operation());
    }
    assertThat(tried)
        .containsExactlyElementsOf(new TreeSet<>(routes().stream().map(Route::operation).toList()));
  }

  /** A role without the right gets 403; a write is refused; what is shown is checked apart. */
  private static boolean refused(Route route, Role role, Reply reply) {
    return switch (route.access()) {
      case Access.Needs needs when !needs.action().permittedTo(role) -> reply.status() == 403;
      case Access.Needs _ when route.method().changes() ->
          List.of(403, 404, 409).contains(reply.status());
      case Access.Needs _ -> List.of(200, 404).contains(reply.status());
      case Access.SignedIn _, Access.Open _ -> reply.status() != 500;
    };
  }

  @Test
  void what_is_of_another_team_looks_like_what_does_not_exist() {
    RightRequests right = new RightRequests(red.things);
    Owned none = Owned.missing(red.things);
    RightRequests vain = new RightRequests(none);
    int compared = 0;
    for (Route route : routes()) {
      List<Request> requests = right.of(route);
      for (int i = 0; i < requests.size() && comparable(route); i++) {
        for (Role role : ROLES) {
          Reply real = send(violet.get(role), requests.get(i));
          Reply ghost = send(violet.get(role), vain.of(route).get(i));
          assertThat(likened(real.body(), none))
              .as("%s as %s", requests.get(i), role)
              .isEqualTo(likened(ghost.body(), none));
          assertThat(real.status()).as(requests.get(i).toString()).isEqualTo(ghost.status());
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(300);
  }

  /**
   * A new application or environment under a name that is taken is refused, and under a free one it
   * is made.
   */
  private static boolean comparable(Route route) {
    return route.consumes() != Content.DOCUMENT
        && !Set.of(
                "createResource", "createEnvironment", "login", "createApiKey", "metrics", "health")
            .contains(route.operation());
  }

  /** Without what differs between any two requests. */
  private String likened(String body, Owned none) {
    String text = body.replaceAll("\"traceId\":\"[0-9a-f]*\"", "");
    text = text.replaceAll("\"lastUsedAt\":\"[^\"]*\"", ""); // of the key that asks
    text = text.replaceAll("\"checkedAt\":\"[^\"]*\"", ""); // of a cluster
    for (int i = 0; i < none.all().size(); i++) {
      text = text.replace(none.all().get(i), red.things.all().get(i));
    }
    return text;
  }

  @Test
  void the_team_itself_is_answered_with_what_is_its_own() {
    Set<String> silent = new TreeSet<>();
    for (Route route : routes()) {
      if (route.access() instanceof Access.Open || actor(route).isEmpty()) {
        continue;
      }
      Owned own = route.method().changes() ? red.anew() : red.things;
      Request request = new RightRequests(own).of(route).getFirst();
      Reply reply = send(actor(route).get(), request);
      assertThat(reply.status() / 100 == 2 || reply.status() == 409)
          .as("%s of the team itself: %s", request, reply)
          .isTrue();
      if (!route.method().changes() && red.marks.stream().noneMatch(reply.body()::contains)) {
        silent.add(route.operation());
      }
    }
    assertThat(silent).isEqualTo(new TreeSet<>(SHOW_NOTHING.keySet()));
  }

  private Optional<String> actor(Route route) {
    if (route.path().matches(".*/(approve|reject)")) {
      return Optional.of(red.approver);
    }
    return route.access() instanceof Access.Needs needs
            && !needs.action().permittedTo(Role.DEVELOPER)
        ? Optional.empty()
        : Optional.of(red.developer);
  }

  @Test
  void lists_and_numbers_of_a_team_without_anything_are_empty() {
    String empty = violet.get(Role.DEVELOPER);
    for (Route route : routes()) {
      boolean list = route.replies().values().stream().anyMatch(r -> r.schema().endsWith("[]"));
      boolean shared = SHOW_NOTHING.containsKey(route.operation());
      if (list && !shared && route.access() instanceof Access.Needs && actor(route).isPresent()) {
        for (Request request : new RightRequests(red.things).of(route)) {
          if (route.pathParameters().isEmpty()) {
            var reply = running.as(empty).get(request.path()).expect(200).json();
            assertThat(reply.get("data")).as(request.toString()).isEqualTo(List.of());
            assertThat(reply.getOrDefault("total", 0L)).as(request.toString()).isEqualTo(0L);
          }
        }
      }
    }
    var numbers = running.as(empty).get("/api/stats").expect(200).json();
    assertThat(numbers)
        .containsEntry("applications", Map.of())
        .containsEntry("resources", Map.of())
        .containsEntry("runs", Map.of())
        .containsEntry("pendingApprovals", 0L);
  }

  @Test
  void whatever_another_team_asks_for_it_learns_and_changes_nothing() {
    long seed = Long.getLong("isolation.seed", 1L);
    Random random = new Random(seed);
    List<Route> routes = routes().stream().filter(r -> r.access() instanceof Access.Needs).toList();
    Set<String> before = stateOfTeamRed();
    for (int i = 0; i < REQUESTS; i++) {
      Route route = routes.get(i % routes.size());
      List<Role> able =
          ROLES.stream()
              .filter(r -> ((Access.Needs) route.access()).action().permittedTo(r))
              .toList();
      if (!able.isEmpty()) {
        Request request = request(route, random);
        Role role = able.get(random.nextInt(able.size()));
        nothingOfRed(request, send(blue.get(role), request), "seed " + seed + ", request " + i);
      }
    }
    unchanged(before, "seed " + seed);
  }

  @Test
  void a_name_that_a_team_gave_up_shows_others_nothing_of_its_past() {
    String score = ApplicationTest.score("oldshop");
    String developer = running.member("bert", "blue", "developer");
    String[] past = red.marks.toArray(String[]::new);
    String tried = running.as(developer).yaml("/api/specs?dryRun=true", score).expect(200).body();
    assertThat(tried).doesNotContain(past);
    var made = running.as(developer).yaml("/api/specs", score).expect(201);
    assertThat(made.body()).doesNotContain(past);
    String id =
        Values.map(((List<?>) made.json().get("resources")).getFirst()).get("id").toString();
    running.as(developer).get("/api/resources/" + id).expect(200);
    running.as(developer).get("/api/plans/" + made.json().get("planHash")).expect(200);
    assertThat(running.as(red.developer).get("/api/deployments?app=oldshop").expect(200).body())
        .contains("oldshop")
        .doesNotContain(id);
  }

  @Test
  void the_idempotency_key_of_another_team_gives_no_access_to_its_reply() {
    String body = "{\"parameters\":{\"words\":\"the same\"}}";
    var first =
        running
            .as(red.developer)
            .with("Idempotency-Key", "same")
            .post("/api/golden-paths/ask/execute", body)
            .expect(202);
    var other =
        running
            .as(running.member("berta", "blue", "developer"))
            .with("Idempotency-Key", "same")
            .post("/api/golden-paths/ask/execute", body)
            .expect(202);
    assertThat(other.header("Idempotency-Replayed")).isEmpty();
    assertThat(other.body()).doesNotContain(first.json().get("id").toString());
  }

  /** All but the streams of events, which do not end: those are read apart. */
  private List<Route> routes() {
    return running.server.routes().stream()
        .filter(r -> !r.path().startsWith("/api/events"))
        .toList();
  }

  private void nothingOfRed(Request request, Reply reply, String how) {
    assertThat(reply.status()).as("%s, %s: %s", request, how, reply.body()).isNotEqualTo(500);
    assertThat(reply.body())
        .as("%s, %s", request, how)
        .doesNotContain(
            red.marks.stream().filter(m -> !request.own().contains(m)).toArray(String[]::new));
  }

  private Request request(Route route, Random random) {
    RightRequests right = new RightRequests(red.things);
    List<String> words = List.of("red", "default", "redland", "redshop", "blueshop", "first", "1");
    List<String> known = new ArrayList<>(red.marks);
    known.addAll(words);
    Map<String, String> places = new LinkedHashMap<>();
    for (String name : route.pathParameters()) {
      places.put(
          name,
          random.nextInt(3) > 0
              ? right.place(RightRequests.before(route, name))
              : pick(random, known));
    }
    Map<String, String> query = new LinkedHashMap<>();
    for (Route.Parameter parameter : route.parameters()) {
      if (random.nextInt(3) == 0) {
        query.put(
            parameter.name().replace("*", "words"),
            switch (parameter.kind()) {
              case NUMBER -> "" + (1 + random.nextInt(3));
              case FLAG -> "true";
              // A mark that this team writes down would be its own word.
              case TEXT, TEXTS -> pick(random, route.method() == Method.GET ? known : words);
            });
      }
    }
    return RightRequests.request(route, places, query, body(route, right, random));
  }

  private static String body(Route route, RightRequests right, Random random) {
    if (route.consumes() == Content.NONE) {
      return "";
    }
    return switch (random.nextInt(4)) {
      case 0 -> "{}";
      case 1 ->
          route.consumes() == Content.DOCUMENT
              ? ApplicationTest.score(pick(random, List.of("blueshop", "blueyard")))
              : "{\"name\":\"red\"}";
      default -> right.body(route);
    };
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private Reply send(String token, Request request) {
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
      return new Reply(response.statusCode(), response.body());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(request.toString(), e);
    }
  }

  private void unchanged(Set<String> before, String by) {
    Set<String> after = stateOfTeamRed();
    assertThat(after.stream().filter(row -> !before.contains(row))).as(by).isEmpty();
    assertThat(before.stream().filter(row -> !after.contains(row))).as(by).isEmpty();
  }

  /** Every row that the team had when the tests began, as text. */
  private Set<String> stateOfTeamRed() {
    Set<String> rows = new TreeSet<>();
    String applications =
        "application_id IN (SELECT id FROM applications WHERE team = 'red' AND created_at <="
            + " :then)";
    String worked = " AND cause IS DISTINCT FROM 'observation'";
    String runs =
        "run_id IN (SELECT id FROM runs WHERE team = 'red' AND created_at <= :then" + worked + ")";
    for (String what :
        List.of(
            "applications t WHERE team = 'red' AND created_at <= :then",
            "resources t WHERE team = 'red' AND created_at <= :then",
            "runs t WHERE team = 'red' AND created_at <= :then" + worked,
            "approvals t WHERE team = 'red' AND created_at <= :then",
            "plans t WHERE team = 'red' AND created_at <= :then",
            "role_bindings t WHERE team = 'red'",
            "teams t WHERE name = 'red'",
            "users t WHERE name IN ('rosa', 'rolf')",
            "environments t WHERE name IN ('default', 'redland')",
            "approval_votes t WHERE approval_id IN"
                + " (SELECT id FROM approvals WHERE team = 'red' AND created_at <= :then)",
            "resource_transitions t WHERE resource_id IN"
                + " (SELECT id FROM resources WHERE team = 'red' AND created_at <= :then)",
            "resource_users t WHERE " + applications,
            "revisions t WHERE " + applications,
            "deployments t WHERE " + applications,
            "steps t WHERE " + runs,
            "attempts t WHERE " + runs,
            "step_logs t WHERE " + runs,
            "(SELECT id, revoked_at FROM api_keys WHERE user_name = 'rosa' AND"
                + " created_at <= :then) t")) {
      rows.addAll(
          database
              .jdbi()
              .withHandle(
                  h ->
                      h.createQuery("SELECT t::text FROM " + what + " ORDER BY 1")
                          .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
                          .bind("then", settled)
                          .mapTo(String.class)
                          .list()));
    }
    assertThat(rows).hasSizeGreaterThan(40);
    return rows;
  }

  @Test
  void logs_of_children_and_rollbacks_cannot_be_followed_by_another_team() {
    for (String run : red.runs) {
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
                      RootColumn.ref("redshop", "default"),
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
      assertThat(line).as(filter).doesNotContain(red.marks);
      assertThat(ofRed).as(filter).doesNotContain(line);
      if (line.equals("event: end.of.test")) {
        return;
      }
    }
    throw new AssertionError("the stream ended: " + filter);
  }

  @Test
  void everything_of_a_team_that_is_tried_here_exists_for_the_team_itself() {
    for (String run : red.runs) {
      running.as(red.developer).get("/api/workflows/" + run).expect(200);
    }
    assertThat(red.runs).hasSizeGreaterThanOrEqualTo(5);
    assertThat(
            running
                .as(red.developer)
                .get("/api/workflows/" + red.runs.get(1) + "/steps/first/logs")
                .body())
        .contains(TeamRed.WORDS);
    assertThat(running.server.routes().stream().filter(r -> r.traits().contains(Trait.STREAM)))
        .as("streams, which are tested one by one above")
        .hasSize(3);
  }
}
