package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import dev.slipway.web.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
  private Running running;
  private Map<String, Object> document;

  @BeforeAll
  void start() {
    running = new Running();
    document = running.asNobody().get("/openapi.json").expect(200).json();
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void every_route_is_documented_and_nothing_else_is() {
    TreeSet<String> documented = new TreeSet<>();
    map(document.get("paths"))
        .forEach(
            (path, operations) ->
                map(operations)
                    .keySet()
                    .forEach(m -> documented.add(m.toUpperCase() + " " + path)));
    TreeSet<String> served = new TreeSet<>();
    running.server.routes().forEach(r -> served.add(r.method() + " " + r.path()));
    assertThat(documented).isEqualTo(served);
  }

  @Test
  void every_operation_has_a_name_of_its_own_a_summary_and_a_reply() {
    List<String> names = running.server.routes().stream().map(Route::operation).toList();
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z][a-zA-Z]+"));
    assertThat(running.server.routes())
        .allMatch(r -> !r.summary().isBlank())
        .allMatch(r -> !r.replies().isEmpty());
  }

  @Test
  void schemas_for_editors_are_served_without_login_as_they_are_in_the_repository()
      throws Exception {
    for (String name : List.of("provider", "workflow", "goldenpaths", "admin-config")) {
      String file = Files.readString(Path.of("../schemas", name + ".json"));
      assertThat(running.asNobody().get("/schemas/" + name + ".json").expect(200).json())
          .isEqualTo(Json.readMap(file));
    }
    assertThat(running.asNobody().get("/schemas/workflows.json").expect(404).body())
        .contains("There is no schema 'workflows.json'.")
        .contains("Did you mean 'workflow.json'?");
  }

  @Test
  void every_reference_leads_to_something() {
    List<String> references = new ArrayList<>();
    collect(document, references);
    assertThat(references).isNotEmpty();
    for (String reference : references) {
      Object found = document;
      for (String key : reference.substring(2).split("/")) {
        found = found == null ? null : map(found).get(key);
      }
      assertThat(found).as(reference).isNotNull();
    }
  }

  @Test
  void the_published_copy_is_the_one_that_is_served() throws Exception {
    var published = Path.of("..", "docs", "openapi.json");
    String served = Contract.pretty(document);
    if (Boolean.getBoolean("slipway.publish")) {
      Files.writeString(published, served);
    }
    assertThat(served)
        .as("docs/openapi.json is out of date: run the test with -Dslipway.publish=true")
        .isEqualTo(Files.readString(published));
  }

  private static void collect(Object value, List<String> references) {
    switch (value) {
      case Map<?, ?> map -> {
        if (map.get("$ref") instanceof String reference) {
          references.add(reference);
        }
        map.values().forEach(v -> collect(v, references));
      }
      case List<?> list -> list.forEach(v -> collect(v, references));
      case null, default -> {}
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
