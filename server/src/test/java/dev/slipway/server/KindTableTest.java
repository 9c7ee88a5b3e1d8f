package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.value.Values;
import dev.slipway.server.api.KindRows;
import dev.slipway.web.Route;
import dev.slipway.web.kind.Column;
import dev.slipway.web.kind.Kind;
import dev.slipway.web.kind.Kinds;
import dev.slipway.web.kind.NamePart;
import dev.slipway.web.kind.Verb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

  /** A person asks for these; the others follow from them. */
  private static final Set<Verb> ASKED =
      EnumSet.of(Verb.LIST, Verb.DELETE, Verb.EXPLAIN, Verb.GRAPH, Verb.WAIT);

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
    assertThat(kind.routes().templates()).isNotEmpty();
    kind.routes()
        .templates()
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
  void a_kind_takes_a_verb_or_says_in_a_sentence_why_not(Kind kind) {
    for (Verb verb : ASKED) {
      assertThat(kind.takes(verb)).as(verb.text()).isNotEqualTo(kind.instead().containsKey(verb));
    }
    assertThat(kind.instead().values())
        .allSatisfy(sentence -> assertThat(sentence).matches("[A-Z].{20,}"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void every_column_label_key_and_state_is_a_field_of_its_objects(Kind kind) {
    kind.routes()
        .of(Verb.LIST)
        .ifPresent(
            template -> {
              Set<String> fields = fields(route(Verb.LIST, template));
              assertThat(fields).contains(kind.key());
              assertThat(fields).containsAll(kind.columns().stream().map(Column::field).toList());
              assertThat(fields).containsAll(kind.labels().stream().map(NamePart::field).toList());
            });
    kind.routes()
        .of(Verb.GET)
        .ifPresent(
            template -> {
              Set<String> fields = fields(route(Verb.GET, template));
              assertThat(fields).contains(kind.key());
              if (kind.states() != null) {
                assertThat(fields).contains(kind.states().field());
              }
              kind.routes()
                  .templates()
                  .forEach(
                      (verb, t) -> assertThat(fields).as(t).containsAll(neededOfObject(verb, t)));
            });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void an_object_that_is_a_node_says_which_one_and_its_names_are_unique_where_those_of_the_node_are(
      Kind kind) {
    kind.node()
        .ifPresent(
            node -> {
              assertThat(kind.scope()).isEqualTo(node.scope());
              assertThat(fields(route(Verb.GET, kind.routes().of(Verb.GET).orElseThrow())))
                  .contains("node");
            });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void an_object_that_can_be_waited_for_has_the_states_that_end_the_waiting(Kind kind) {
    if (kind.states() == null) {
      return;
    }
    Route get = route(Verb.GET, kind.routes().of(Verb.GET).orElseThrow());
    Map<String, Object> field = Values.map(properties(get).get(kind.states().field()));
    Object words =
        field.get("$ref") == null
            ? field.get("enum")
            : Values.map(schemas.get(last(String.valueOf(field.get("$ref"))))).get("enum");
    List<String> known = ((List<?>) words).stream().map(String::valueOf).toList();
    assertThat(known).containsAll(kind.states().done()).containsAll(kind.states().failed());
  }

  @Test
  void every_node_of_a_graph_and_of_a_source_belongs_to_a_kind() throws IllegalAccessException {
    Set<String> known = prefixes(kinds().toList());
    List<String> brought = new ArrayList<>();
    running.server.sources().kinds().forEach(kind -> brought.add(kind.prefix()));
    for (var field : TrunkKinds.class.getFields()) {
      brought.add(((NodeKind) field.get(null)).prefix());
    }
    assertThat(known).containsAll(brought);
  }

  @Test
  void every_type_of_event_belongs_to_a_kind_that_has_the_node_or_the_key_which_it_names() {
    Map<String, Map<String, Object>> types = types();
    assertThat(types).isNotEmpty();
    types.forEach(
        (type, schema) -> {
          List<Kind> owners = kinds().filter(kind -> kind.events().includes(type)).toList();
          assertThat(owners)
              .as(type)
              .isNotEmpty()
              .anySatisfy(
                  kind ->
                      assertThat(
                              Optional.ofNullable(kind.events().field())
                                  .map(data(schema)::contains)
                                  .orElseGet(() -> namesNodeOf(schema, kind)))
                          .isTrue());
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void the_events_of_a_kind_exist_and_are_streamed(Kind kind) {
    for (String pattern : kind.events().types()) {
      assertThat(types().keySet())
          .as(pattern)
          .anyMatch(type -> type.matches(pattern.replace(".", "\\.").replace("*", ".*")));
    }
    assertThat(kind.routes().of(Verb.EVENTS).isPresent())
        .isEqualTo(!kind.events().types().isEmpty());
  }

  @Test
  void the_table_is_served_to_every_account_and_to_no_stranger() {
    String viewer = running.member("vera", "*", "viewer");
    Object rows = running.as(viewer).get("/api/kinds").expect(200).json().get("data");
    assertThat((List<?>) rows).hasSize((int) kinds().count());
    running.asNobody().get("/api/kinds").expect(401);
  }

  private static Set<String> prefixes(List<Kind> kinds) {
    Set<String> prefixes = new TreeSet<>();
    kinds.forEach(kind -> kind.nodes().forEach(node -> prefixes.add(node.prefix())));
    return prefixes;
  }

  /** Schemas of events by type, but of the one that concerns the stream itself. */
  private static Map<String, Map<String, Object>> types() {
    Map<String, Map<String, Object>> types = new TreeMap<>();
    Values.map(Values.map(Values.map(schemas.get("Event")).get("discriminator")).get("mapping"))
        .forEach(
            (type, reference) ->
                types.put(type, Values.map(schemas.get(last(String.valueOf(reference))))));
    types.remove("stream.reset");
    return types;
  }

  private static Set<String> data(Map<String, Object> schema) {
    Map<String, Object> data = Values.map(Values.map(schema.get("properties")).get("data"));
    return Values.map(data.get("properties")).keySet();
  }

  /** Whether the pattern {@code ^(resource|application):} of its node names one of the kind's. */
  private static boolean namesNodeOf(Map<String, Object> schema, Kind kind) {
    Map<String, Object> node = Values.map(Values.map(schema.get("properties")).get("node"));
    return node.get("pattern") instanceof String pattern
        && Arrays.stream(pattern.replaceAll("[\\^():]", "").split("\\|"))
            .anyMatch(prefixes(List.of(kind))::contains);
  }

  private static Route route(Verb verb, String template) {
    String path =
        FORM_QUERY
            .matcher(template)
            .replaceAll("")
            .replaceAll("\\?.*", "")
            .replaceAll("\\{[^}]+}", "{}");
    Route.Method method = verb == Verb.DELETE ? Route.Method.DELETE : Route.Method.GET;
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

  /**
   * Variables without which the template cannot be filled in, but the one that a caller chooses.
   */
  private static List<String> neededOfObject(Verb verb, String template) {
    List<String> names = new ArrayList<>();
    Matcher matcher = Pattern.compile("\\{([a-zA-Z]+)}").matcher(template);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    if (verb == Verb.EXPORT) {
      names.remove("format");
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
