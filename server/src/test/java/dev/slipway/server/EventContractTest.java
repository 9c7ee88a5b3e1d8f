package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Each type of event is described in the contract, with its fields. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventContractTest {
  private static final Path PAGE = Path.of("..", "docs", "7-api.md");
  private static final String BEGIN = "<!-- events: written by EventContractTest -->\n";
  private static final String END = "<!-- end of events -->\n";
  private static final String RESET = "stream.reset";

  private Running running;
  private Map<String, Map<String, Object>> byType;

  @BeforeAll
  void start() {
    running = new Running();
    Map<String, Object> document = running.asNobody().get("/openapi.json").expect(200).json();
    Map<String, Object> schemas = Values.map(Values.map(document.get("components")).get("schemas"));
    byType = new TreeMap<>();
    Map<String, Object> mapping =
        Values.map(
            Values.map(Values.map(schemas.get("Event")).get("discriminator")).get("mapping"));
    mapping.forEach(
        (type, reference) ->
            byType.put(
                type,
                Values.map(
                    schemas.get(reference.toString().replace("#/components/schemas/", "")))));
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void the_contract_has_the_types_that_the_program_writes_and_no_others() {
    assertThat(new TreeSet<>(byType.keySet())).isEqualTo(new TreeSet<>(WrittenEventTypes.all()));
  }

  @Test
  void each_schema_names_its_type_and_says_what_happened() {
    byType.forEach(
        (type, schema) -> {
          assertThat(Values.map(Values.map(schema.get("properties")).get("type")))
              .containsEntry("const", type);
          assertThat(schema.get("description")).asString().isNotBlank();
        });
  }

  @Test
  void the_table_in_the_documentation_is_that_of_the_contract() throws IOException {
    StringBuilder table = new StringBuilder("| type | when | node | data |\n|---|---|---|---|\n");
    byType.forEach((type, schema) -> table.append(row(type, schema)));
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    if (Boolean.getBoolean("slipway.publish")) {
      page = page.substring(0, begin) + table + page.substring(end);
      Files.writeString(PAGE, page);
      end = page.indexOf(END);
    }
    assertThat(page.substring(begin, end))
        .as("docs/7-api.md is out of date: run the test with -Dslipway.publish=true")
        .isEqualTo(table.toString());
  }

  private static String row(String type, Map<String, Object> schema) {
    Map<String, Object> properties = Values.map(schema.get("properties"));
    Map<String, Object> data = type.equals(RESET) ? schema : Values.map(properties.get("data"));
    List<?> required = (List<?>) data.get("required");
    String fields =
        Values.map(data.get("properties")).keySet().stream()
            .map(field -> "`" + field + "`" + (required.contains(field) ? "" : "?"))
            .collect(Collectors.joining(", "));
    return "| `%s` | %s | %s | %s |\n"
        .formatted(type, schema.get("description"), node(properties), fields);
  }

  /** The kinds of node, out of {@code ^(workflow|application):}; an event may be of any kind. */
  private static String node(Map<String, Object> properties) {
    return Optional.ofNullable(properties.get("node"))
        .map(node -> Optional.ofNullable(Values.map(node).get("pattern")))
        .map(pattern -> pattern.map(kinds -> "`" + names(kinds.toString()) + ":`").orElse("any"))
        .orElse("");
  }

  private static String names(String pattern) {
    return pattern.replaceAll("[\\^():]", "").replace("|", ":`, `");
  }
}
