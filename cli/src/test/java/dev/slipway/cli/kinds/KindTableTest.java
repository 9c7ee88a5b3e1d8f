package dev.slipway.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.value.Json;
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

  @ParameterizedTest
  @CsvSource({
    "application, '{\"app_name\": \"shop\", \"environment\": \"dev\"}', true",
    "application, '{\"application\": \"shop\", \"environment\": \"dev\"}', true",
    "application, '{\"application\": \"shop\", \"environment\": \"prod\"}', false",
    "application, '{\"application\": \"shops\", \"environment\": \"dev\"}', false",
    "application, '{\"data\": {\"applicationId\": \"7\"}}', true",
    "run, '{\"data\": {\"runId\": \"7\"}}', true",
    "run, '{\"data\": {\"deploymentId\": \"7\"}}', false",
    "api-key, '{\"data\": {\"apiKeyId\": \"7\"}}', true",
    "resource, '{\"data\": null}', false",
  })
  void a_record_mentions_an_object_by_its_kind_and_key(String kind, String record, boolean does) {
    Map<String, Object> object = Map.of("id", "7", "name", "shop", "environment", "dev");
    assertThat(new InvolvedObject(kind(kind), object).in(Json.readMap(record))).isEqualTo(does);
  }

  @Test
  void an_approval_is_near_a_resource_that_waits_for_the_same_run() {
    Map<String, Object> object = Map.of("id", "7", "runId", "8", "environment", "dev");
    InvolvedObject involved = new InvolvedObject(kind("resource"), object);
    assertThat(involved.nearby(Map.of("id", "1", "runId", "8"))).isTrue();
    assertThat(involved.nearby(Map.of("id", "1", "runId", "9"))).isFalse();
  }

  private static Kind kind(String word) {
    return TABLE.find(word).orElseThrow();
  }
}
