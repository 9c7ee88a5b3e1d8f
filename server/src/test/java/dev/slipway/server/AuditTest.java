package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
import dev.slipway.server.RightRequests.Request;
import dev.slipway.web.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditTest {
  /** Everything that calls change, without what the engine writes by itself. */
  private static final String STATE =
      """
      SELECT 'team ' || name FROM teams
      UNION ALL SELECT 'user ' || (u.*)::text FROM users u
      UNION ALL SELECT 'role ' || (b.*)::text FROM role_bindings b
      UNION ALL SELECT 'environment ' || name || version FROM environments
      UNION ALL SELECT 'application ' || name || environment || state || version FROM applications
      UNION ALL SELECT 'revision ' || application_id || revision FROM revisions
      UNION ALL SELECT 'deployment ' || id FROM deployments
      UNION ALL SELECT 'resource ' || id || state || version FROM resources
      UNION ALL SELECT 'run ' || id || state || (cancel IS NULL)::text FROM runs
                 WHERE cause IS DISTINCT FROM 'observation'
      UNION ALL SELECT 'key ' || id || coalesce(revoked_at::text, '') FROM api_keys
      UNION ALL SELECT 'session ' || id FROM login_sessions
      UNION ALL SELECT 'vote ' || (v.*)::text FROM approval_votes v
      UNION ALL SELECT 'request ' || key || route FROM idempotency_keys
      ORDER BY 1
      """;

  private Running running;
  private Jdbi jdbi;
  private TeamRed red;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    running = new Running(Optional.of(TeamRed.config(directory)));
    jdbi =
        Jdbi.create(
            running.database.jdbcUrl(), running.database.user(), running.database.password());
    red = new TeamRed(running);
    running.member("blue-developer", "blue", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void no_route_changes_anything_while_its_audit_entry_cannot_be_written() {
    running.signIn("rosa", "correct horse battery");
    List<String> before = state();
    TreeSet<String> reached = new TreeSet<>();
    jdbi.useHandle(
        h -> {
          h.execute(
              "CREATE FUNCTION full_audit() RETURNS trigger LANGUAGE plpgsql AS"
                  + " $$ BEGIN RAISE EXCEPTION 'no room for audit entries'; END $$");
          h.execute(
              "CREATE TRIGGER full_audit BEFORE INSERT ON audit EXECUTE FUNCTION full_audit()");
        });
    try {
      for (Route route : running.server.routes()) {
        if (route.method().changes() && !route.traits().contains(Route.Trait.UNAUDITED)) {
          int status = status(route, new RightRequests(red.things).of(route).getFirst());
          assertThat(status).as(route.operation()).isGreaterThanOrEqualTo(400);
          if (status == 500) {
            reached.add(route.operation());
          }
          assertThat(state()).as(route.operation()).isEqualTo(before);
        }
      }
    } finally {
      jdbi.useHandle(h -> h.execute("DROP FUNCTION full_audit CASCADE"));
    }
    assertThat(reached)
        .contains(
            "approve",
            "cancelRun",
            "changeEnvironment",
            "changeUser",
            "createApiKey",
            "createResource",
            "deleteApplication",
            "deleteResource",
            "deleteUser",
            "deploy",
            "executeGoldenPath",
            "login",
            "logout",
            "refreshProvider",
            "reload",
            "revokeApiKeyOf",
            "rollbackApplication");
  }

  private int status(Route route, Request request) {
    String waiting = red.runs.get(3);
    String path =
        route.operation().equals("cancelRun")
            ? request.path().replace(red.things.run(), waiting)
            : request.path();
    String body = request.body().replace("guess", "correct horse battery");
    Running.Ask ask =
        route.path().matches(".*/(approve|reject)") ? running.as(red.approver) : running.asAdmin();
    return (switch (route.consumes()) {
          case DOCUMENT, OPTIONAL_DOCUMENT -> ask.with("Content-Type", "application/yaml");
          case NONE, JSON, OPTIONAL_JSON -> ask.with("Content-Type", "application/json");
        })
        .send(route.method().name(), path, body.isEmpty() ? null : body)
        .status();
  }

  private List<String> state() {
    return jdbi.withHandle(h -> h.createQuery(STATE).mapTo(String.class).list());
  }

  @Test
  void a_change_and_its_repetition_have_one_entry_each() {
    var keyed = running.asAdmin().with("Idempotency-Key", "audited-once");
    for (int i = 0; i < 5; i++) {
      keyed.post("/api/teams", "{\"name\":\"audited-once\"}").expect(201);
    }
    assertThat(outcomes("createTeam", "admin")).contains("done", "replayed");
    long replays =
        jdbi.withHandle(
            h ->
                h.createQuery(
                        "SELECT count(*) FROM audit WHERE action = 'createTeam'"
                            + " AND outcome = 'replayed'")
                    .mapTo(Long.class)
                    .one());
    assertThat(replays).as("repetitions are counted, not listed").isEqualTo(1);
  }

  @Test
  void a_caller_that_is_refused_again_and_again_does_not_fill_the_log() {
    String viewer = running.member("vera", "blue", "viewer");
    for (int i = 0; i < 50; i++) {
      running.as(viewer).post("/api/teams", "{\"name\":\"x\"}").expect(403);
    }
    assertThat(outcomes("createTeam", "vera")).containsExactly("refused");
  }

  @Test
  void the_use_of_a_token_that_does_not_work_is_in_the_log() {
    String owner = running.member("tom", "blue", "developer");
    var made = running.as(owner).post("/api/profile/api-keys", "{\"name\":\"old\"}").expect(201);
    String revoked = (String) made.json().get("token");
    running.as(owner).delete("/api/profile/api-keys/" + made.json().get("id")).expect(204);
    String expired =
        (String)
            running
                .as(owner)
                .post("/api/profile/api-keys", "{\"name\":\"old\",\"expiresIn\":\"1h\"}")
                .expect(201)
                .json()
                .get("token");
    jdbi.useHandle(
        h ->
            h.execute(
                "UPDATE api_keys SET expires_at = now() - interval '1 hour'"
                    + " WHERE expires_at IS NOT NULL"));
    String disabled = running.member("tilda", "blue", "developer");
    running.asAdmin().patch("/api/admin/users/tilda", "{\"disabled\":true}").expect(200);

    for (String token : List.of(revoked, expired, disabled)) {
      running.as(token).get("/api/applications").expect(401);
      running.as(token).delete("/api/teams/red").expect(401);
    }
    assertThat(details("tom")).extracting(d -> d.get("reason")).contains("revoked", "expired");
    assertThat(details("tilda"))
        .extracting(d -> d.get("reason"))
        .containsExactly("account-disabled");
    assertThat(running.asAdmin().get("/api/audit?action=useToken").body())
        .doesNotContain(revoked.substring(12, 24), disabled.substring(12, 24));
  }

  @Test
  void tokens_that_were_guessed_are_counted_and_do_not_fill_the_log() {
    for (int i = 0; i < 100; i++) {
      running.as("slipway_key_guess" + i).get("/api/applications").expect(401);
      running.asNobody().with("X-API-Key", "x".repeat(500)).get("/api/stats").expect(401);
    }
    assertThat(details("(unknown)").stream().filter(d -> "unknown".equals(d.get("reason"))))
        .singleElement()
        .satisfies(d -> assertThat(d).containsEntry("address", "127.0.0.1"));
  }

  @Test
  void wrong_passwords_are_in_the_log_for_known_and_unknown_names_alike() {
    running.member("pia", "blue", "developer");
    running.signIn("pia", "correct horse battery");
    for (String name : List.of("pia", "my secret typed as a name")) {
      String body = "{\"username\":\"%s\",\"password\":\"wrong wrong\"}".formatted(name);
      running.asNobody().post("/api/login", body).expect(401);
    }
    assertThat(outcomes("login", "pia")).containsExactly("refused", "done");
    assertThat(outcomes("login", "(unknown)")).contains("refused");
    assertThat(running.asAdmin().get("/api/audit?action=login").body())
        .doesNotContain("my secret typed");
  }

  private List<String> outcomes(String action, String user) {
    List<String> out = new ArrayList<>();
    for (Map<String, Object> entry : entries("action=" + action + "&user=" + encoded(user))) {
      out.add((String) entry.get("outcome"));
    }
    return out;
  }

  private List<Map<String, Object>> details(String user) {
    return entries("action=useToken&user=" + encoded(user)).stream()
        .map(entry -> Values.map(entry.get("detail")))
        .toList();
  }

  private static String encoded(String user) {
    return user.replace("(", "%28").replace(")", "%29");
  }

  private List<Map<String, Object>> entries(String query) {
    Object data =
        running.asAdmin().get("/api/audit?limit=100&" + query).expect(200).json().get("data");
    return ((List<?>) data).stream().map(Values::map).toList();
  }
}
