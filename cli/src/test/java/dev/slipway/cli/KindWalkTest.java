package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.cli.kinds.KindTable;
import dev.slipway.cli.kinds.RecordedTable;
import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each verb that the table of a real server lists for a kind works: new rows are walked, too. */
class KindWalkTest {
  private static final Path RECORDED =
      Path.of("src", "test", "resources", "dev", "slipway", "cli", "kinds.json");

  @TempDir static Path directory;
  private static LiveServer live;
  private static Cli cli;

  @BeforeAll
  static void start() throws IOException {
    new Cli()
        .run("provider", "init", "notes", "--type", "note", "--dir", directory.resolve("notes"))
        .expect(ExitCode.OK);
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            "providers:\n  - {source: filesystem, path: ./notes}\n"
                + "  - {source: filesystem, path: ./tools}\n"
                + "clusters: {away: {server: 'https://127.0.0.1:9', token: t}}\n");
    goldenPath(Files.createDirectories(directory.resolve("tools")));
    live = new LiveServer(directory.resolve("data"), config);
    cli = live.cli;
    Path score =
        Files.writeString(
            directory.resolve("score.yaml"),
            """
            apiVersion: score.dev/v1b1
            metadata: {name: shop}
            resources: {thing: {type: note}}
            """);
    cli.run("deploy", score, "--wait").expect(ExitCode.OK);
    cli.run("plan", score).expect(ExitCode.OK);
    cli.run("team", "create", "red").expect(ExitCode.OK);
    cli.run("token", "create", "ci").expect(ExitCode.OK);
    cli.run("audit", "hold", "--reason", "a dispute").expect(ExitCode.OK);
    cli.run("environment", "create", "prod", "--protected").expect(ExitCode.OK);
    cli.run("deploy", score, "-e", "prod").expect(ExitCode.WAITING_FOR_APPROVAL);
  }

  private static void goldenPath(Path provider) throws IOException {
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        workflows: [{name: greet, file: ./greet.yaml, category: goldenpath}]
        """);
    Files.writeString(
        provider.resolve("greet.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: greet}
        steps: [{name: greet, type: noop}]
        """);
  }

  @AfterAll
  static void stop() {
    live.close();
  }

  @TestFactory
  Stream<DynamicTest> every_verb_of_every_kind_works() {
    String rows = cli.run("get", "-o", "json").expect(ExitCode.OK).out();
    List<Kind> kinds = KindTable.parse(Json.readMap("{\"data\": " + rows + "}")).kinds();
    assertThat(kinds).isNotEmpty();
    return kinds.stream()
        .flatMap(
            kind ->
                kind.verbs().stream()
                    .map(verb -> dynamicTest(verb + " " + kind.name(), () -> walk(kind, verb))));
  }

  @Test
  void the_recorded_table_is_that_of_this_server() throws IOException {
    String rows = cli.run("get", "-o", "json").expect(ExitCode.OK).out();
    StringBuilder table = new StringBuilder();
    for (Map<String, Object> row :
        Api.items(Json.readMap("{\"data\": " + rows + "}").get("data"))) {
      Map<String, Object> sent = new LinkedHashMap<>(row);
      sent.remove("verbs");
      table.append(table.isEmpty() ? "{\"data\": [\n  " : ",\n  ").append(Json.write(sent));
    }
    table.append("\n]}\n");
    if (Boolean.getBoolean("slipway.publish")) {
      Files.writeString(RECORDED, table);
    }
    assertThat(Files.readString(RECORDED))
        .as(RECORDED + " is out of date: run the test with -Dslipway.publish=true")
        .isEqualTo(table.toString());
  }

  @TestFactory
  Stream<DynamicTest> a_verb_that_a_kind_does_not_take_is_answered_with_the_sentence_of_its_row() {
    return RecordedTable.parsed().kinds().stream()
        .flatMap(
            kind ->
                kind.instead().entrySet().stream()
                    .map(
                        each ->
                            dynamicTest(
                                each.getKey().text() + " " + kind.name(),
                                () -> refuses(kind, each.getKey(), each.getValue()))));
  }

  private static void refuses(Kind kind, Operation operation, String sentence) {
    String name = kind.nameOf(first(kind));
    assertThat(cli.run(operation.text(), kind.name(), name).expect(ExitCode.USAGE).err())
        .contains(sentence);
  }

  private static void walk(Kind kind, String verb) {
    Map<String, Object> object = first(kind);
    String name = kind.nameOf(object);
    switch (verb) {
      case "get" -> formats(kind, name);
      case "describe" ->
          assertThat(cli.run("describe", kind.name() + "/" + name).expect(ExitCode.OK).out())
              .contains(kind.keyOf(object));
      // without consent: the other verbs still need the object
      case "delete" ->
          assertThat(cli.run("delete", kind.name(), name).expect(ExitCode.USAGE).err())
              .contains(kind.name() + " " + name, "--yes");
      case "wait" -> waits(kind, object, name);
      case "explain", "graph" ->
          assertThat(cli.run(verb, kind.name(), name).expect(ExitCode.OK).out()).isNotBlank();
      default -> throw new AssertionError("no test for the verb '" + verb + "': add one here");
    }
  }

  private static void formats(Kind kind, String name) {
    for (String word : kind.words()) {
      assertThat(cli.run("get", word, name).expect(ExitCode.OK).out())
          .startsWith(kind.columns().getFirst().title());
    }
    for (String format : List.of("json", "yaml", "wide", "name")) {
      assertThat(cli.run("get", kind.name(), name, "-o", format).expect(ExitCode.OK).out())
          .as(format)
          .isNotBlank();
    }
  }

  private static void waits(Kind kind, Map<String, Object> object, String name) {
    Optional<String> state = kind.stateOf(object);
    if (state.isPresent()) {
      cli.run("wait", kind.name(), name, "--for", state.get()).expect(ExitCode.OK);
    } else {
      cli.run("wait", kind.name(), name, "--for", "delete", "--timeout", "0s")
          .expect(ExitCode.TIMEOUT);
    }
  }

  /** The first object of the kind's list; the test has made one of each kind. */
  private static Map<String, Object> first(Kind kind) {
    String rows = cli.run("get", kind.plural(), "-o", "json").expect(ExitCode.OK).out();
    List<Map<String, Object>> objects =
        Api.items(Json.readMap("{\"data\": " + rows + "}").get("data"));
    assertThat(objects).as("there is an object of the kind " + kind.name()).isNotEmpty();
    return objects.getFirst();
  }
}
