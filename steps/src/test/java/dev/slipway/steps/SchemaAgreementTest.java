package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.JsonSchema;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.AdminConfigParser;
import dev.slipway.engine.resolve.GoldenPathFile;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The published schemas and the parsers agree on every valid file of the project, and on every
 * mutation of one.
 */
class SchemaAgreementTest {
  private static final Path FILES = Path.of("src/test/resources/grammar");

  /**
   * Errors that only the parser can find, and why: they involve more than one place of the file.
   */
  private static final Map<String, String> PARSER_ALONE = new LinkedHashMap<>();

  static {
    PARSER_ALONE.put("duplicate-name: .*", "compares entries of a list");
    PARSER_ALONE.put("duplicate-(workflow|type): .*", "compares entries of a list");
    PARSER_ALONE.put(
        "unknown-(secret|connection|cluster|step|parameter|variable|output|workflow|type|root): .*",
        "follows a reference");
    PARSER_ALONE.put(
        "(later-step|self-reference|cycle|parallel-reference): .*", "orders the steps");
    PARSER_ALONE.put("unknown-field: a step has no .*", "reads a template");
    PARSER_ALONE.put(
        "(invalid-(condition|template|placeholder|pattern|path)|open-pattern): .*",
        "reads another language");
    PARSER_ALONE.put(
        "invalid-value: (no full commit id|no name of a .*|a private key needs knownHosts)",
        "reads Git's names");
    PARSER_ALONE.put("invalid-value: '.*' leads out of the repository", "reads a path");
    PARSER_ALONE.put("invalid-value: no database that sql steps can use", "reads a URL");
    PARSER_ALONE.put(
        "invalid-value: this is not the text of a kubeconfig", "reads another language");
    PARSER_ALONE.put(
        "invalid-value: a cluster can only be 'inCluster: true'", "a switch without an off");
    PARSER_ALONE.put("missing-field: a cluster with 'server' needs 'token'", "compares two fields");
    PARSER_ALONE.put("secret-in-url: .*", "reads a URL");
    PARSER_ALONE.put("invalid-manifest: .*", "reads another language");
    PARSER_ALONE.put("unsafe-value: .*", "reads a script");
    PARSER_ALONE.put("not-fixed: .*", "reads a template");
    PARSER_ALONE.put("contradiction: '.*' is written here and .*", "compares two values");
    PARSER_ALONE.put("contradiction: variables are written here and .*", "compares two maps");
    PARSER_ALONE.put(
        "(type-mismatch|not-allowed|pattern-mismatch|below-minimum|above-maximum): .*",
        "holds a default to what its parameter says");
    PARSER_ALONE.put("invalid-value: min is greater than max", "compares two values");
    PARSER_ALONE.put(
        "invalid-value: minCoreVersion is above maxCoreVersion", "compares two values");
    PARSER_ALONE.put("invalid-value: jitter must be between 0 and 1", "a bound of a decimal");
    PARSER_ALONE.put("invalid-value: must be between .*", "a bound of a duration");
    PARSER_ALONE.put(
        "invalid-value: '.*' cannot be an environment variable", "a name that is a key");
    PARSER_ALONE.put("invalid-value: '.*' is not a name", "a name that is a key");
    PARSER_ALONE.put("reserved-name: .*", "a name that is a key");
    PARSER_ALONE.put(
        "missing-field: a provider needs at least one workflow", "counts two lists together");
    PARSER_ALONE.put(
        "missing-field: 'default' is required with several workflows", "counts a list");
    PARSER_ALONE.put("(alias-cycle|ambiguous-workflow|no-workflow): .*", "follows references");
    PARSER_ALONE.put(
        "(missing-file|outside-root|provider-load|unresolved-reference): .*",
        "looks at other files");
  }

  /**
   * The schema allows any key in a map there, but the parser reports likely misspellings of fields.
   */
  private static final String A_SLIP = "slip in (outputs\\.key|.*\\.parameters\\.(ttl|kind))\\..*";

  @TempDir Path directory;

  private record Subject(Grammar grammar, Schema schema) {}

  private static final Map<String, Subject> SUBJECTS = new LinkedHashMap<>();

  static {
    ObjectMapper mapper = new ObjectMapper();
    SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    for (Grammar grammar : SchemaCatalog.all()) {
      Schema schema = registry.getSchema(mapper.valueToTree(JsonSchema.of(grammar)));
      SUBJECTS.put(grammar.name(), new Subject(grammar, schema));
    }
  }

  @Test
  void every_valid_file_of_the_project_is_valid_by_its_schema() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (String root : List.of("../providers", "../examples")) {
      try (Stream<Path> all = Files.walk(Path.of(root))) {
        all.filter(f -> f.toString().endsWith(".yaml")).forEach(files::add);
      }
    }
    for (Path file : files) {
      Map<String, Object> document = plain(file);
      String kind = String.valueOf(document.get("kind"));
      if (kind.equals("Provider") || kind.equals("Workflow")) {
        String schema = kind.toLowerCase(java.util.Locale.ROOT);
        bySchema(schema, document).forEach(error -> wrong.add(file + ": " + error));
      }
    }
    assertThat(files).hasSizeGreaterThan(8);
    assertThat(wrong).isEmpty();
  }

  static Stream<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(FILES)) {
      all.filter(f -> f.toString().endsWith(".yaml")).sorted().forEach(found::add);
    }
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void a_complete_document_is_valid_for_both(Path file) throws IOException {
    String kind = file.getParent().getFileName().toString();
    Map<String, Object> document = plain(file);
    assertThat(byParser(kind, document)).isEmpty();
    assertThat(bySchema(kind, document)).isEmpty();
  }

  /** Fails when a new field of a table is in no document that is mutated above. */
  @Test
  void every_field_of_every_table_is_in_a_document_that_is_changed_above() throws IOException {
    Map<String, StringBuilder> texts = new LinkedHashMap<>();
    for (Path file : documents().toList()) {
      String kind = file.getParent().getFileName().toString();
      texts.computeIfAbsent(kind, _ -> new StringBuilder()).append(Files.readString(file));
    }
    List<String> untested = new ArrayList<>();
    for (Subject subject : SUBJECTS.values()) {
      if (subject.grammar().name().equals("provider-test")) {
        // Its parser is in module cli, and so is the test that compares the two.
        continue;
      }
      String text = Spelled.camel(texts.get(subject.grammar().name()).toString());
      for (Form form : subject.grammar().forms()) {
        form.names().stream()
            .filter(name -> !Pattern.compile("\\b" + name + ":").matcher(text).find())
            .forEach(
                name -> untested.add(subject.grammar().name() + " " + form.name() + "." + name));
      }
    }
    assertThat(untested).isEmpty();
  }

  /** Rewrites every snake_case word of texts in camelCase. */
  private static final class Spelled {
    static String camel(String text) {
      return Pattern.compile("_([a-z])")
          .matcher(text)
          .replaceAll(m -> m.group(1).toUpperCase(java.util.Locale.ROOT));
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void whatever_is_changed_in_it_both_say_the_same(Path file) throws IOException {
    String kind = file.getParent().getFileName().toString();
    Map<String, Object> document = plain(file);
    List<String> differences = new ArrayList<>();
    List<Mutation> mutations = Mutation.all(document);
    for (Mutation mutation : mutations) {
      List<String> parser = byParser(kind, mutation.document());
      List<String> schema = bySchema(kind, mutation.document());
      if (schema.isEmpty() && !mutation.what().matches(A_SLIP)) {
        parser.stream()
            .filter(error -> PARSER_ALONE.keySet().stream().noneMatch(error::matches))
            .forEach(error -> differences.add(mutation + ": only the parser says " + error));
      } else if (parser.isEmpty() && !schema.isEmpty()) {
        differences.add(mutation + ": only the schema says " + schema.getFirst());
      }
    }
    assertThat(mutations).isNotEmpty();
    assertThat(differences).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"workflow", "admin-config", "provider", "goldenpaths"})
  void a_file_that_is_no_map_is_an_error_for_the_parser(String kind) throws IOException {
    for (String text : List.of("hello", "7", "true", "[hello]", "[{a: b}]")) {
      assertThat(byParser(kind, text)).as(text).isNotEmpty();
    }
  }

  private static Map<String, Object> plain(Path file) throws IOException {
    Diagnostics diagnostics = new Diagnostics();
    Object plain =
        Document.parse(file.toString(), Files.readAllBytes(file), Limits.PROVIDER, diagnostics)
            .orElseThrow(() -> new AssertionError(diagnostics.toString()))
            .plain();
    return plain instanceof Map<?, ?> map ? dev.slipway.engine.value.Values.map(map) : Map.of();
  }

  private static List<String> bySchema(String kind, Map<String, Object> document) {
    Schema schema = SUBJECTS.get(kind).schema();
    String text = Json.write(document);
    if (schema.validate(text, InputFormat.JSON, OutputFormat.BOOLEAN)) {
      return List.of();
    }
    return schema.validate(text, InputFormat.JSON).stream().limit(1).map(Object::toString).toList();
  }

  /** Errors only: {@code code: message}. */
  private List<String> byParser(String kind, Map<String, Object> document) throws IOException {
    return byParser(kind, Json.write(document));
  }

  private List<String> byParser(String kind, String text) throws IOException {
    Diagnostics found = new Diagnostics();
    WorkflowParser workflows = new WorkflowParser(StepCatalog.types());
    switch (kind) {
      case "workflow" -> read(text, found, d -> workflows.parse(d, found));
      case "admin-config" ->
          read(text, found, d -> new AdminConfigParser(directory, _ -> "x").parse(d, found));
      case "provider" -> {
        write("provider.yaml", text);
        write("w.yaml", Files.readString(FILES.resolve("workflow/wrapped.yaml")));
        ProviderLoader loader = new ProviderLoader(workflows::parse);
        found.addAll(
            loader.load(ProviderSource.directory(directory, 0), directory, null).diagnostics());
      }
      default -> {
        write("w.yaml", Files.readString(FILES.resolve("workflow/wrapped.yaml")));
        new GoldenPathFile(write("g.yaml", text), workflows::parse, found).read();
      }
    }
    return found.errors().stream().map(d -> d.code() + ": " + d.message()).toList();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static void read(
      String text, Diagnostics found, java.util.function.Consumer<Document> reader) {
    Document.parse("f.yaml", text, Limits.PROVIDER, found).ifPresent(reader);
  }
}
