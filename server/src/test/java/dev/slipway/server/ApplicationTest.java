package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplicationTest {
  private Running running;
  private String dora;

  @BeforeAll
  void start() {
    running = new Running();
    dora = running.member("dora", "red", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  static String score(String name) {
    return """
    apiVersion: score.dev/v1b1
    metadata:
      name: %s
    containers:
      web:
        image: nginx
    resources:
      files:
        type: volume
        params:
          size: 1Gi
    """
        .formatted(name);
  }

  @Test
  void a_document_makes_an_application_and_the_same_again_changes_nothing() {
    var made = running.as(dora).yaml("/api/specs", score("shop")).expect(201);
    assertThat(made.json())
        .containsEntry("name", "shop")
        .containsEntry("environment", "default")
        .containsEntry("revision", 1L)
        .containsEntry("changed", true)
        .containsKeys("deploymentId", "planHash", "resources", "warnings");
    var again = running.as(dora).yaml("/api/applications", score("shop")).expect(200);
    assertThat(again.json()).containsEntry("changed", false);
    var shown = running.as(dora).get("/api/applications/shop").expect(200);
    assertThat(shown.json()).containsEntry("team", "red");
    running.as(dora).get("/api/deployments/" + made.json().get("deploymentId")).expect(200);
    running.as(dora).get("/api/applications/shop/revisions").expect(200);
    running.as(dora).get("/api/applications/shop/deployments").expect(200);
    running.as(dora).get("/api/applications/shop/explain").expect(200);
    running.as(dora).get("/api/graph/shop").expect(200);
    running.as(dora).get("/api/graph/shop/chain?from=spec:shop").expect(200);
    running.as(dora).get("/api/graph/shop/dependencies").expect(200);
    running.as(dora).get("/api/graph/shop/dependents").expect(200);
    running.as(dora).get("/api/graph/shop/critical-path").expect(200);
    running.as(dora).get("/api/graph/shop/history?revision=1").expect(200);
    running.as(dora).get("/api/graph?provider=volume").expect(200);
    for (String format : List.of("mermaid", "dot", "json", "svg")) {
      assertThat(running.as(dora).get("/api/graph/shop/export?format=" + format).expect(200).body())
          .isNotBlank();
    }
    assertThat(running.as(dora).get("/api/stats").expect(200).body()).contains("applications");
  }

  @Test
  void an_invalid_document_is_refused_with_position_and_hint() {
    var refused =
        running.as(dora).yaml("/api/specs", score("bad").replace("volume", "volum")).expect(422);
    assertThat(refused.json())
        .containsEntry("type", "urn:slipway:problem:invalid-spec")
        .containsEntry("title", "Invalid document");
    Map<?, ?> error = (Map<?, ?>) ((List<?>) refused.json().get("errors")).getFirst();
    assertThat(error.get("line")).isEqualTo(9L);
    assertThat(error.get("hint").toString()).contains("volume");
    running.as(dora).yaml("/api/specs", "a: [b").expect(400);
    var validated =
        running.as(dora).yaml("/api/validate", score("bad").replace("volume", "volum")).expect(200);
    assertThat(validated.json()).containsEntry("valid", false);
  }

  @Test
  void a_dry_run_and_a_plan_change_nothing() {
    var plan = running.as(dora).yaml("/api/workflow-analysis", score("planned")).expect(200);
    assertThat(plan.json()).containsEntry("effect", "changes");
    running.as(dora).get("/api/plans/" + plan.json().get("hash")).expect(200);
    running.as(dora).yaml("/api/specs?dryRun=true", score("planned")).expect(200);
    running.as(dora).get("/api/applications/planned").expect(404);
    running.as(dora).yaml("/api/specs?planHash=" + "0".repeat(64), score("planned")).expect(409);
    running
        .as(dora)
        .yaml("/api/specs?planHash=" + plan.json().get("hash"), score("planned"))
        .expect(201);
  }

  @Test
  void a_name_of_another_team_is_taken_and_its_application_invisible() {
    running.as(dora).yaml("/api/specs", score("ours")).expect(201);
    String blue = running.member("bert", "blue", "developer");
    running.as(blue).get("/api/applications/ours").expect(404);
    running.as(blue).yaml("/api/specs", score("ours")).expect(403);
    running.as(blue).delete("/api/applications/ours?confirm=ours").expect(404);
    assertThat(running.as(blue).get("/api/applications").expect(200).body()).doesNotContain("ours");
  }

  @Test
  void deleting_asks_for_the_name_and_a_stale_version_is_refused() {
    var made = running.as(dora).yaml("/api/specs", score("gone")).expect(201);
    running.as(dora).delete("/api/applications/gone").expect(409);
    running
        .as(dora)
        .with("If-Match", "\"99999\"")
        .delete("/api/applications/gone?confirm=gone")
        .expect(412);
    assertThat(made.header("ETag")).matches("\"\\d+\"");
    running.as(dora).delete("/api/applications/gone?confirm=gone").expect(202);
  }

  @Test
  void environments_are_made_extended_and_deleted() {
    var made =
        running
            .as(dora)
            .post("/api/environments", "{\"name\":\"preview-1\",\"ttl\":\"2h\"}")
            .expect(201);
    assertThat(made.json()).containsEntry("ttl", "2h").containsKey("expiresAt");
    running
        .as(dora)
        .with("If-Match", made.header("ETag"))
        .patch("/api/environments/preview-1", "{\"ttl\":\"3d\"}")
        .expect(200);
    running
        .as(dora)
        .with("If-Match", made.header("ETag"))
        .patch("/api/environments/preview-1", "{\"ttl\":\"4d\"}")
        .expect(412);
    running.as(dora).post("/api/environments", "{\"name\":\"x\",\"ttl\":\"soon\"}").expect(422);
    var template =
        running
            .asAdmin()
            .post("/api/environments", "{\"name\":\"named\",\"namespaceTemplate\":\"x-{{ .ap }}\"}")
            .expect(422);
    assertThat(template.body()).contains("namespaceTemplate").contains("\"column\":");
    running.as(dora).get("/api/environments").expect(200);
    running.as(dora).delete("/api/environments/preview-1").expect(204);
  }

  @Test
  void lists_come_in_pieces_that_fit_together() {
    for (int i = 0; i < 5; i++) {
      running.as(dora).yaml("/api/specs?environment=many", score("app-" + i)).expect(201);
    }
    var first = running.as(dora).get("/api/applications?environment=many&limit=2").expect(200);
    assertThat((List<?>) first.json().get("data")).hasSize(2);
    assertThat(first.json()).containsEntry("total", 5L);
    StringBuilder names = new StringBuilder();
    String next = "";
    int pieces = 0;
    do {
      var piece =
          running
              .as(dora)
              .get(
                  "/api/applications?environment=many&limit=2"
                      + (next.isEmpty() ? "" : "&continue=" + next))
              .expect(200);
      for (Object app : (List<?>) piece.json().get("data")) {
        names.append(((Map<?, ?>) app).get("name")).append(' ');
      }
      next = piece.json().getOrDefault("continue", "").toString();
      pieces++;
    } while (!next.isEmpty());
    assertThat(pieces).isEqualTo(3);
    assertThat(names.toString()).isEqualTo("app-0 app-1 app-2 app-3 app-4 ");
    running.as(dora).get("/api/applications?continue=!!").expect(400);
  }
}
