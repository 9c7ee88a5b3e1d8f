package dev.slipway.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.value.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KindTableTest {
  private static final KindTable TABLE = RecordedTable.parsed();

  @ParameterizedTest
  @ValueSource(strings = {"application", "applications", "app", "apps", "App", "APPS"})
  void a_kind_is_found_by_each_of_its_words_in_any_case(String word) {
    assertThat(TABLE.find(word)).get().extracting(Kind::name).isEqualTo("application");
  }

  @Test
  void a_word_of_no_kind_finds_none() {
    assertThat(TABLE.find("shop")).isEmpty();
  }

  @Test
  void verbs_of_a_kind_follow_from_its_routes_and_states() {
    assertThat(kind("application").verbs())
        .containsExactly("get", "describe", "delete", "wait", "explain", "graph");
    assertThat(kind("plan").verbs()).containsExactly("get", "describe", "graph");
    assertThat(kind("run").verbs()).containsExactly("get", "describe", "wait", "explain", "graph");
    assertThat(kind("team").verbs()).containsExactly("get", "describe", "delete", "wait");
  }

  @Test
  void objects_are_called_by_their_labels_and_by_their_key_where_a_label_is_missing() {
    assertThat(kind("resource").nameOf(Map.of("id", "7", "application", "shop", "name", "db")))
        .isEqualTo("shop/db");
    assertThat(kind("resource").nameOf(Map.of("id", "7", "name", "db"))).isEqualTo("7");
    assertThat(kind("application").nameOf(Map.of("id", "7", "name", "shop"))).isEqualTo("shop");
    assertThat(kind("resource").nameForm()).isEqualTo("APPLICATION/NAME");
  }

  @Test
  void what_a_newer_server_says_more_is_skipped() {
    KindTable newer =
        KindTable.parse(
            Json.readMap(
                """
                {"data": [{"name": "buoy", "plural": "buoys", "key": "name", "scope": "sea",
                  "colour": "red", "routes": {"get": "/api/buoys/{name}", "moor": "/x/{+y}"},
                  "columns": [{"title": "T", "field": "a.b", "shown": "rarely", "form": "chart"}]}]}
                """));
    Kind buoy = newer.kinds().getFirst();
    assertThat(buoy.routes()).containsOnlyKeys(Kind.Operation.GET);
    assertThat(buoy.scope()).isEqualTo(Kind.Scope.INSTALLATION);
    Column column = buoy.columns().getFirst();
    assertThat(column.shown()).isEqualTo(Column.Shown.ALWAYS);
    assertThat(column.form()).isEqualTo(Column.Form.TEXT);
    assertThat(column.value(Map.of("a", Map.of("b", 3)))).isEqualTo(3);
    assertThat(column.value(Map.of("a", "text"))).isNull();
  }

  @Test
  void a_row_without_a_name_cannot_be_read() {
    assertThatThrownBy(() -> KindTable.parse(Map.of("data", List.of(Map.of("plural", "x")))))
        .hasMessageContaining("without 'name'");
  }

  @Test
  void a_verb_that_a_kind_does_not_take_has_a_sentence() {
    assertThat(kind("plan").instead()).containsKeys(Kind.Operation.EXPLAIN, Kind.Operation.WAIT);
    assertThat(kind("team").instead()).containsKeys(Kind.Operation.EXPLAIN, Kind.Operation.GRAPH);
    assertThat(kind("application").instead()).isEmpty();
  }

  @Test
  void one_word_alone_names_an_object_of_one_kind() {
    assertThat(TABLE.alone()).get().extracting(Kind::name).isEqualTo("application");
  }

  @ParameterizedTest
  @CsvSource({
    "application, application:shop@dev, '{\"node\": \"application:shop@dev\"}', true",
    "application, application:shop@dev, '{\"node\": \"spec:shop@dev\"}', true",
    "application, application:shop@dev, '{\"node\": \"application:shop\"}', false",
    "application, application:shop@dev, '{\"node\": \"workflow:7\", \"root\": \"application:shop@dev\"}',"
        + " false",
    "run, workflow:7, '{\"node\": \"workflow:7\"}', true",
    "run, workflow:7, '{\"node\": \"workflow:8\", \"data\": {\"parentRunId\": \"7\"}}', false",
    "provider, provider:acme, '{\"node\": \"provider:acme\"}', true",
    "provider, provider:acme, '{\"node\": \"resource:acme\"}', false",
    "resource, , '{\"node\": \"resource:x\"}', false",
    "deployment, , '{\"node\": \"application:shop\", \"data\": {\"deploymentId\": \"7\"}}', true",
    "deployment, , '{\"data\": {\"deploymentId\": \"8\"}}', false",
    "approval, , '{\"data\": {\"approvalId\": \"7\"}}', true",
  })
  void an_event_is_about_an_object_when_it_names_its_node_or_its_key(
      String kind, String node, String record, boolean does) {
    Map<String, Object> object = new HashMap<>(Map.of("id", "7", "name", "shop"));
    object.put("node", node);
    assertThat(new InvolvedObject(kind(kind), object).in(Json.readMap(record))).isEqualTo(does);
  }

  @Test
  void an_approval_is_near_what_it_stops_and_what_waits_for_the_same_run() {
    Map<String, Object> object =
        Map.of("id", "7", "runId", "8", "node", "resource:postgres.default#shop.db");
    InvolvedObject involved = new InvolvedObject(kind("resource"), object);
    assertThat(involved.nearby(Map.of("id", "1", "runId", "8"))).isTrue();
    assertThat(involved.nearby(Map.of("id", "1", "runId", "9"))).isFalse();
    InvolvedObject shop =
        new InvolvedObject(kind("application"), Map.of("node", "application:shop"));
    assertThat(shop.nearby(Map.of("node", "workflow:9", "root", "application:shop"))).isTrue();
    assertThat(shop.nearby(Map.of("node", "workflow:9", "root", "workflow:9"))).isFalse();
  }

  private static Kind kind(String word) {
    return TABLE.find(word).orElseThrow();
  }
}
