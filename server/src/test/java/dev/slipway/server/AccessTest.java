package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.Role;
import dev.slipway.web.Route;
import dev.slipway.web.Route.Access;
import dev.slipway.web.Route.Content;
import dev.slipway.web.Route.Method;
import dev.slipway.web.Route.Trait;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Walks over every route as every role, in the team that owns the objects and in another one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {
  /** Paths with these parameters name an object of team red. */
  private static final Set<String> OWNED =
      Set.of(
          "/api/applications/{name}",
          "/api/specs/{name}",
          "/api/plans/{hash}",
          "/api/deployments/{id}",
          "/api/resources/{id}",
          "/api/workflows/{id}",
          "/api/approvals/{id}",
          "/api/graph/{application}",
          "/api/teams/{name}");

  private Running running;
  private final Map<Role, String> red = new EnumMap<>(Role.class);
  private final Map<Role, String> blue = new EnumMap<>(Role.class);
  private final Map<String, String> ids = new LinkedHashMap<>();

  @BeforeAll
  void start() {
    running = new Running();
    for (Role role : Role.values()) {
      String everywhere = role.reachesAllTeams() ? "*" : null;
      red.put(
          role,
          running.member(
              "red-" + role.text(), everywhere == null ? "red" : everywhere, role.text()));
      blue.put(
          role,
          running.member(
              "blue-" + role.text(), everywhere == null ? "blue" : everywhere, role.text()));
    }
    running.asAdmin().post("/api/teams", "{\"name\":\"red\"}").expect(201);
    objectsOfTeamRed();
  }

  private void objectsOfTeamRed() {
    var made =
        running
            .as(red.get(Role.DEVELOPER))
            .yaml("/api/specs", ApplicationTest.score("redshop"))
            .expect(201)
            .json();
    Map<?, ?> resource = (Map<?, ?>) ((List<?>) made.get("resources")).getFirst();
    var runs = running.asAdmin().get("/api/workflows?app=redshop").expect(200).json();
    String run = ((Map<?, ?>) ((List<?>) runs.get("data")).getFirst()).get("id").toString();
    String approval = UUID.randomUUID().toString();
    try (Database database = Database.open(Running.url(running.database).address(), 4)) {
      database
          .jdbi()
          .useHandle(
              h ->
                  h.execute(
                      """
                      INSERT INTO approvals (id, kind, run_id, step, environment, team, hash,
                                             message, requested_by, state, expires_at, created_at)
                      VALUES (?::uuid, 'step', ?::uuid, 'ask', 'default', 'red', 'h', 'please',
                              'red-developer', 'pending', now() + interval '1 day', now())
                      """,
                      approval,
                      run));
    }
    ids.put("/api/applications/{name}", "redshop");
    ids.put("/api/specs/{name}", "redshop");
    ids.put("/api/graph/{application}", "redshop");
    ids.put("/api/teams/{name}", "red");
    ids.put("/api/plans/{hash}", made.get("planHash").toString());
    ids.put("/api/deployments/{id}", made.get("deploymentId").toString());
    ids.put("/api/resources/{id}", resource.get("id").toString());
    ids.put("/api/workflows/{id}", run);
    ids.put("/api/approvals/{id}", approval);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void a_call_without_a_token_is_refused_at_every_route_that_is_not_open() {
    for (Route route : running.server.routes()) {
      int status = call(null, route);
      boolean open = route.access() instanceof Access.Open;
      assertThat(status == 401)
          .as(route.method() + " " + route.path() + " without a token: " + status)
          .isEqualTo(!open || route.path().equals("/api/login") && status == 401);
    }
  }

  @Test
  void a_caller_without_the_role_is_refused_for_every_object() {
    for (Route route : running.server.routes()) {
      for (Role role : Role.values()) {
        if (route.access() instanceof Access.Needs needs && !needs.action().permittedTo(role)) {
          for (String token : List.of(red.get(role), blue.get(role))) {
            assertThat(call(token, route))
                .as(route.method() + " " + route.path() + " as " + role)
                .isEqualTo(403);
          }
        }
      }
    }
  }

  @Test
  void an_object_of_another_team_does_not_exist() {
    int tried = 0;
    for (Route route : running.server.routes()) {
      if (prefix(route) == null) {
        continue;
      }
      for (Role role : List.of(Role.VIEWER, Role.DEVELOPER, Role.APPROVER)) {
        if (route.access() instanceof Access.Needs needs && needs.action().permittedTo(role)) {
          assertThat(call(blue.get(role), route))
              .as(route.method() + " " + route.path() + " as a " + role + " of another team")
              .isEqualTo(404);
          tried++;
        }
      }
    }
    assertThat(tried).isGreaterThan(60);
  }

  @Test
  void lists_of_another_team_show_nothing_of_this_one() {
    for (Route route : running.server.routes()) {
      boolean list = route.replies().values().stream().anyMatch(r -> r.schema().endsWith("[]"));
      if (!list || prefix(route) != null) {
        continue;
      }
      for (Role role : List.of(Role.VIEWER, Role.DEVELOPER, Role.APPROVER)) {
        if (route.access() instanceof Access.Needs needs && needs.action().permittedTo(role)) {
          String body = running.as(blue.get(role)).get(route.path()).expect(200).body();
          assertThat(body).as(route.path()).doesNotContain("redshop").doesNotContain("\"red\"");
        }
      }
    }
  }

  @Test
  void a_caller_with_the_role_in_the_team_is_admitted() {
    for (Route route : running.server.routes()) {
      if (route.method() != Method.GET || route.traits().contains(Trait.STREAM)) {
        continue;
      }
      for (Role role : Role.values()) {
        if (route.access() instanceof Access.Needs needs && needs.action().permittedTo(role)) {
          assertThat(call(red.get(role), route))
              .as(route.method() + " " + route.path() + " as " + role)
              .isNotIn(401, 403, 500)
              .satisfies(
                  status -> {
                    if (prefix(route) != null && route.pathParameters().size() == 1) {
                      assertThat(status).isIn(200, 400, 409);
                    }
                  });
        }
      }
    }
  }

  @Test
  void a_person_does_not_approve_their_own_request() {
    String own = UUID.randomUUID().toString();
    try (Database database = Database.open(Running.url(running.database).address(), 4)) {
      database
          .jdbi()
          .useHandle(
              h ->
                  h.execute(
                      """
                      INSERT INTO approvals (id, kind, run_id, step, environment, team, hash,
                                             message, requested_by, state, expires_at, created_at)
                      VALUES (?::uuid, 'step', ?::uuid, 'own', 'default', 'red', 'h', 'please',
                              'red-approver', 'pending', now() + interval '1 day', now())
                      """,
                      own,
                      ids.get("/api/workflows/{id}")));
    }
    running.as(red.get(Role.APPROVER)).post("/api/approvals/" + own + "/approve", "{}").expect(403);
    var granted =
        running
            .as(red.get(Role.OPERATOR))
            .post("/api/approvals/" + own + "/approve", "{\"comment\":\"fine\"}")
            .expect(200);
    assertThat(granted.json()).containsEntry("state", "granted");
    running.as(red.get(Role.ADMIN)).post("/api/approvals/" + own + "/reject", "").expect(409);
  }

  @Test
  void what_was_tried_and_done_is_in_the_audit_log() {
    running.asAdmin().post("/api/teams", "{\"name\":\"audited\"}").expect(201);
    String log = running.asAdmin().get("/api/audit?action=createTeam").expect(200).body();
    assertThat(log).contains("\"user\":\"admin\"").contains("\"outcome\":\"done\"");
    running.as(red.get(Role.VIEWER)).post("/api/teams", "{\"name\":\"x\"}").expect(403);
    assertThat(running.asAdmin().get("/api/audit?user=red-viewer").expect(200).body())
        .contains("\"outcome\":\"refused\"");
  }

  private String prefix(Route route) {
    return OWNED.stream()
        .filter(p -> route.path().equals(p) || route.path().startsWith(p + "/"))
        .findFirst()
        .orElse(null);
  }

  private int call(String token, Route route) {
    String path = route.path();
    String prefix = prefix(route);
    if (prefix != null) {
      path = prefix.replaceAll("\\{.*}", ids.get(prefix)) + path.substring(prefix.length());
    }
    path = path.replaceAll("\\{[a-z]+}", "files");
    if (path.endsWith("/history")) {
      path += "?revision=1";
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(running.server.url() + path))
            .method(route.method().name(), body(route));
    if (route.consumes() != Content.NONE) {
      request.header("Content-Type", "application/json");
    }
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<InputStream> response =
          running.http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      response.body().close();
      return response.statusCode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpRequest.BodyPublisher body(Route route) {
    return route.consumes() == Content.NONE
        ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofString(
            route.path().endsWith("/rollback") ? "{\"revision\":1}" : "{}");
  }
}
