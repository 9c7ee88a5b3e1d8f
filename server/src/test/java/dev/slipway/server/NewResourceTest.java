package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Resources that are asked for without a Score file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NewResourceTest {
  private Running running;
  private String dora;
  private String bert;

  @BeforeAll
  void start() {
    running = new Running();
    dora = running.member("dora", "red", "developer");
    bert = running.member("bert", "blue", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static String volume(String application, String name, String more) {
    return """
    {"application": "%s", "name": "%s", "type": "volume", "params": {"size": "1Gi"}%s}
    """
        .formatted(application, name, more);
  }

  private static List<String> names(Map<String, Object> application) {
    return ((List<?>) application.get("resources"))
        .stream().map(r -> ((Map<?, ?>) r).get("name").toString()).toList();
  }

  @Test
  void one_resource_can_be_asked_for_by_itself() {
    var made =
        running
            .as(dora)
            .post(
                "/api/resources",
                "{\"name\":\"scratch\",\"type\":\"volume\",\"params\":{\"size\":\"1Gi\"}}")
            .expect(201);
    assertThat(made.json())
        .containsEntry("application", "scratch")
        .containsEntry("environment", "default")
        .containsEntry("name", "scratch")
        .containsEntry("type", "volume")
        .containsKeys("id", "identity", "state", "dependsOn", "incarnation");
    String path = "/api/resources/" + made.json().get("id");
    assertThat(made.header("Location")).isEqualTo(path);
    running.as(dora).get(path).expect(200);
    running.as(dora).get(path + "/transitions").expect(200);
    running.as(dora).get(path + "/health").expect(200);
    running.as(dora).get(path + "/outputs").expect(200);
    running.as(dora).get("/api/resources?app=scratch").expect(200);
  }

  @Test
  void a_resource_joins_what_the_application_has() {
    running.as(dora).yaml("/api/specs", ApplicationTest.score("growing")).expect(201);
    running
        .as(dora)
        .post("/api/resources", volume("growing", "cache", ", \"metadata\": {\"note\": \"new\"}"))
        .expect(201);
    Map<String, Object> shown =
        running.as(dora).get("/api/applications/growing").expect(200).json();
    assertThat(shown).containsEntry("revision", 2L);
    assertThat(names(shown)).containsExactlyInAnyOrder("files", "cache");
    String revisions = running.as(dora).get("/api/applications/growing/revisions").body();
    assertThat(revisions).contains("nginx");
  }

  @Test
  void a_name_that_is_taken_is_a_conflict_and_changes_nothing() {
    running.as(dora).yaml("/api/specs", ApplicationTest.score("taken")).expect(201);
    var refused = running.as(dora).post("/api/resources", volume("taken", "files", "")).expect(409);
    assertThat(refused.body()).contains("has a resource 'files' already");
    assertThat(running.as(dora).get("/api/applications/taken").json())
        .containsEntry("revision", 1L);
  }

  @Test
  void what_a_document_may_not_say_this_may_not_say_either() {
    running.as(dora).yaml("/api/specs", ApplicationTest.score("strict")).expect(201);
    var unknown =
        running
            .as(dora)
            .post("/api/resources", volume("strict", "more", "").replace("\"volume\"", "\"volum\""))
            .expect(422);
    assertThat(unknown.body()).contains("resources.more");
    running.as(dora).post("/api/resources", volume("strict", "No Name", "")).expect(422);
    running
        .as(dora)
        .post("/api/resources", volume("strict", "more", "").replace("1Gi", "${resources.no.x}"))
        .expect(422);
    running.as(dora).post("/api/resources", volume("strict", "m", ", \"kind\": 1")).expect(422);
    assertThat(running.as(dora).get("/api/applications/strict").json())
        .containsEntry("revision", 1L);
  }

  @Test
  void another_team_can_neither_add_nor_learn_what_is_there() {
    running.as(dora).yaml("/api/specs", ApplicationTest.score("private")).expect(201);
    for (String name : List.of("files", "other")) {
      var refused =
          running.as(bert).post("/api/resources", volume("private", name, "")).expect(403);
      assertThat(refused.body()).doesNotContain("already");
    }
  }

  @Test
  void a_protected_environment_wants_an_approval_of_all_that_was_added() {
    running
        .asAdmin()
        .post("/api/environments", "{\"name\":\"guarded\",\"protected\":true}")
        .expect(201);
    String where = ", \"environment\": \"guarded\"";
    running.as(dora).post("/api/resources", volume("kept", "one", where)).expect(202);
    var second = running.as(dora).post("/api/resources", volume("kept", "two", where)).expect(202);
    assertThat(second.json()).containsKey("approvalId").containsEntry("status", "waiting");
    assertThat(names(second.json())).containsExactlyInAnyOrder("one", "two");
    running.as(dora).post("/api/resources", volume("kept", "two", where)).expect(409);
  }
}
