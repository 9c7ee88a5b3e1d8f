package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ModuleStates;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.modules.PostgresModuleStates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator lists the states of a resource's Terraform modules and goes back to one. */
class KeptStatesTest {
  @TempDir Path directory;
  private Running running;
  private Database database;
  private ModuleStates states;
  private String operator;
  private String dora;
  private UUID resource;

  @BeforeEach
  void start() throws Exception {
    running = new Running(Optional.of(TeamRed.config(directory)));
    database = Database.open(Running.url(running.database).address(), 4);
    states =
        new PostgresModuleStates(database.jdbi(), new SecretBox(new byte[32]), UUID::randomUUID);
    operator = running.member("olga", "*", "operator");
    dora = running.member("dora", "red", "developer");
    running.as(dora).yaml("/api/applications", ApplicationTest.score("shop")).expect(201);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                "active"
                    .equals(running.as(dora).get("/api/applications/shop").json().get("state")));
    List<?> resources =
        (List<?>)
            running.as(dora).get("/api/applications/shop").expect(200).json().get("resources");
    resource = UUID.fromString("" + Values.map(resources.getFirst()).get("id"));
  }

  @AfterEach
  void stop() {
    database.close();
    running.close();
  }

  @Test
  void the_next_run_begins_with_the_state_that_was_restored() {
    for (String text : List.of("one", "two", "three")) {
      written(text);
    }
    assertThat(standings(operator)).containsExactly("3 current", "2 earlier", "1 earlier");
    running.as(dora).get(path()).expect(403);
    running.as(dora).post(path() + "/restore", "{\"version\":1}").expect(403);

    Map<String, Object> reply =
        running.as(operator).post(path() + "/restore", "{\"version\":1}").expect(200).json();

    assertThat(reply).containsEntry("version", 1L).containsEntry("before", 3L);
    assertThat(begun()).isEqualTo("one");
    assertThat(standings(operator)).contains("1 current", "3 earlier");
    running.as(operator).post(path() + "/restore", "{\"version\":9}").expect(409);
    assertThat(running.asAdmin().get("/api/audit?action=restoreState").expect(200).body())
        .contains("olga")
        .contains(resource.toString());
    written("four");
    assertThat(standings(operator)).startsWith("4 current");
  }

  @Test
  void a_state_that_a_step_works_on_is_not_restored() {
    written("one");
    written("two");
    UUID run = UUID.randomUUID();
    sql(
        "INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team,"
            + " inputs, state, created_by, created_at) VALUES ('"
            + run
            + "', 'platform', 'd', 'tools', 'w', 'default', 'red', '{}', 'waiting', 'dora', now())");
    claim(run);
    assertThat(running.as(operator).post(path() + "/restore", "{\"version\":1}").expect(409).body())
        .contains(run.toString());

    sql("UPDATE runs SET state = 'failed', finished_at = now() WHERE id = '" + run + "'");
    running.as(operator).post(path() + "/restore", "{\"version\":1}").expect(200);

    ModuleStates.Claim.Held next = claim(UUID.randomUUID());
    assertThat(new String(next.state().orElseThrow(), StandardCharsets.UTF_8)).isEqualTo("one");
    assertThat(next.before()).as("nothing on a disk of before is taken up").isEmpty();
  }

  private String path() {
    return "/api/resources/" + resource + "/states";
  }

  private List<String> standings(String token) {
    List<?> all = (List<?>) running.as(token).get(path()).expect(200).json().get("data");
    return all.stream()
        .map(Values::map)
        .map(state -> state.get("version") + " " + state.get("standing"))
        .toList();
  }

  private ModuleStates.Workspace workspace() {
    return new ModuleStates.Workspace("resource/" + resource + "/net", "tools", resource, "red");
  }

  private ModuleStates.Claim.Held claim(UUID run) {
    return (ModuleStates.Claim.Held)
        states.claim(workspace(), new ModuleStates.Holder(run, "apply", 1), Instant.now());
  }

  private void written(String text) {
    ModuleStates.Claim.Held held = claim(UUID.randomUUID());
    states.write(held.lock(), text.getBytes(StandardCharsets.UTF_8), Instant.now());
    states.release(held.lock());
  }

  private String begun() {
    ModuleStates.Claim.Held held = claim(UUID.randomUUID());
    states.release(held.lock());
    return new String(held.state().orElseThrow(), StandardCharsets.UTF_8);
  }

  private void sql(String sql) {
    database.jdbi().useHandle(h -> h.execute(sql));
  }
}
