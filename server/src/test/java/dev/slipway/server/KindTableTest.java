package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
import dev.slipway.server.api.KindRows;
import dev.slipway.web.Route;
import dev.slipway.web.kind.Column;
import dev.slipway.web.kind.Kind;
import dev.slipway.web.kind.Kinds;
import dev.slipway.web.kind.Label;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the table of kinds says is what the server does. */
class KindTableTest {
  private static final Pattern FORM_QUERY = Pattern.compile("\\{[?&]([^}]+)}");
  private static final Pattern LITERAL_QUERY = Pattern.compile("[?&]([a-zA-Z]+)=\\{([a-zA-Z]+)}");
  private static Running running;
  private static Map<String, Object> schemas;

  @BeforeAll
  static void start() {
    running = new Running();
    Map<String, Object> document = running.asNobody().get("/openapi.json").expect(200).json();
    schemas = Values.map(Values.map(document.get("components")).get("schemas"));
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  static Stream<Kind> kinds() {
    return new Kinds(KindRows.with(BranchList.ALL)).rows().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void every_route_of_a_kind_is_served_with_the_parameters_that_its_template_names(Kind kind) {
    assertThat(kind.routes().all()).isNotEmpty();
    kind.routes()
        .all()
        .forEach(
            (verb, template) -> {
              Route route = route(verb, template);
              assertThat(route.parameters().stream().map(Route.Parameter::name))
                  .as(template)
                  .containsAll(queries(template));
            });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void every_column_label_key_and_state_is_a_field_of_its_objects(Kind kind) {
    Optional<String> list = Optional.ofNullable(kind.routes().list());
    Optional<String> get = Optional.ofNullable(kind.routes().get());
    list.ifPresent(
        template -> {
          Set<String> fields = fields(route("list", template));
          assertThat(fields).contains(kind.key());
          assertThat(fields).containsAll(kind.columns().stream().map(Column::field).toList());
          assertThat(fields).containsAll(kind.labels().stream().map(Label::field).toList());
        });
    get.ifPresent(
        template -> {
          Set<String> fields = fields(route("get", template));
          assertThat(fields).contains(kind.key());
          if (kind.states() != null) {
            assertThat(fields).contains(kind.states().field());
          }
          Stream.of(kind.routes().delete(), kind.routes().explain(), kind.routes().graph())
              .filter(t -> t != null)
              .forEach(t -> assertThat(fields).as(t).containsAll(needed(t)));
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void an_object_that_can_be_waited_for_has_the_states_that_end_the_waiting(Kind kind) {
    if (kind.states() == null) {
      return;
    }
    Map<String, Object> field =
        Values.map(properties(route("get", kind.routes().get())).get(kind.states().field()));
    Object words =
        field.get("$ref") == null
            ? field.get("enum")
            : Values.map(schemas.get(last(String.valueOf(field.get("$ref"))))).get("enum");
    List<String> known = ((List<?>) words).stream().map(String::valueOf).toList();
    assertThat(known).containsAll(kind.states().done()).containsAll(kind.states().failed());
  }

  @Test
  void the_table_is_served_to_every_account_and_to_no_stranger() {
    String viewer = running.member("vera", "*", "viewer");
    Object rows = running.as(viewer).get("/api/kinds").expect(200).json().get("data");
    assertThat((List<?>) rows).hasSize((int) kinds().count());
    running.asNobody().get("/api/kinds").expect(401);
  }

  private static Route route(String verb, String template) {
    String path =
        FORM_QUERY
            .matcher(template)
            .replaceAll("")
            .replaceAll("\\?.*", "")
            .replaceAll("\\{[^}]+}", "{}");
    Route.Method method = verb.equals("delete") ? Route.Method.DELETE : Route.Method.GET;
    return running.server.routes().stream()
        .filter(r -> r.method() == method)
        .filter(r -> r.path().replaceAll("\\{[^}]+}", "{}").equals(path))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing is served at " + method + " " + path));
  }

  private static Set<String> queries(String template) {
    Set<String> names = new HashSet<>();
    FORM_QUERY
        .matcher(template)
        .results()
        .forEach(r -> names.addAll(List.of(r.group(1).split(","))));
    LITERAL_QUERY.matcher(template).results().forEach(r -> names.add(r.group(1)));
    return names;
  }

  /** Variables without which the template cannot be filled in. */
  private static List<String> needed(String template) {
    List<String> names = new ArrayList<>();
    Matcher matcher = Pattern.compile("\\{([a-zA-Z]+)}").matcher(template);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private static Set<String> fields(Route route) {
    return properties(route).keySet();
  }

  private static Map<String, Object> properties(Route route) {
    String schema = route.replies().get(200).schema().replace("[]", "");
    Map<String, Object> found = Values.map(schemas.get(schema));
    assertThat(found).as(schema).containsKey("properties");
    return Values.map(found.get("properties"));
  }

  private static String last(String reference) {
    return reference.substring(reference.lastIndexOf('/') + 1);
  }
}
