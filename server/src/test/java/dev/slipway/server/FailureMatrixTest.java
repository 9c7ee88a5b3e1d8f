package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the page about failures to the tests that there are. */
class FailureMatrixTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+Test)\\.(\\w+)`");

  /** Scenarios that must stay on the page. */
  private static final List<String> SCENARIOS =
      List.of(
          "process killed",
          "machine frozen",
          "database restarted",
          "connection cut",
          "slow database",
          "disk full",
          "clock jump",
          "duplicate submit",
          "lost wake-up",
          "provider reloaded in mid-run",
          "cancel racing with completion",
          "approval racing with expiry",
          "retry racing with cancel",
          "two replicas started at once",
          "rolling upgrade",
          "downgrade refused",
          "embedded PostgreSQL killed",
          "step process outlives server",
          "commit whose outcome is unknown",
          "Kubernetes API server killed, also some times under load");

  /** One line of the table. */
  private record Row(String scenario, List<String> cells) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/failure-matrix.md"))) {
      if (line.startsWith("| ") && !line.startsWith("| scenario")) {
        List<String> cells =
            Stream.of(line.substring(1).split("\\|", -1)).map(String::strip).toList();
        rows.add(new Row(cells.getFirst(), cells));
      }
    }
    return rows;
  }

  @Test
  void every_scenario_has_one_row_with_promise_appearance_and_proof() throws IOException {
    List<Row> rows = rows();
    assertThat(rows.stream().map(Row::scenario)).doesNotHaveDuplicates().containsAll(SCENARIOS);
    for (Row row : rows) {
      assertThat(row.cells()).as(row.scenario()).hasSize(5);
      assertThat(row.cells().subList(0, 4)).as(row.scenario()).doesNotContain("");
      assertThat(NAMED.matcher(row.cells().get(3)).find()).as(row.scenario()).isTrue();
    }
  }

  @Test
  void every_test_that_is_named_exists() throws IOException {
    Map<String, List<String>> sources = sources();
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      Matcher named = NAMED.matcher(row.cells().get(3));
      while (named.find()) {
        String method = named.group(2);
        boolean exists =
            sources.getOrDefault(named.group(1), List.of()).stream()
                .anyMatch(source -> isTest(source, method));
        if (!exists) {
          missing.add(row.scenario() + ": " + named.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void what_is_disabled_proves_nothing() {
    String enabled = "import a.B;\n\nclass BTest {\n  @Test\n  void b() {}\n}\n";
    assertThat(isTest(enabled, "b")).isTrue();
    assertThat(isTest(enabled.replace("@Test", ""), "b")).isFalse();
    assertThat(isTest(enabled.replace("@Test", "@Test\n  @Disabled"), "b")).isFalse();
    assertThat(isTest(enabled.replace("class", "@Disabled(\"late\")\nclass"), "b")).isFalse();
  }

  /** Annotated as one: between the end of what was before and its name; and not switched off. */
  private static boolean isTest(String source, String method) {
    Matcher found = Pattern.compile("void " + method + "\\(").matcher(source);
    if (!found.find()) {
      return false;
    }
    String before = source.substring(0, found.start());
    String own = before.substring(Math.max(before.lastIndexOf("}\n"), before.lastIndexOf(";\n")));
    String ofItsClass = source.split("(?m)^(\\w+ )*class ", 2)[0];
    return Pattern.compile("@(Test|ParameterizedTest|RepeatedTest)\\b").matcher(own).find()
        && !own.contains("@Disabled")
        && !ofItsClass.contains("@Disabled");
  }

  private static Map<String, List<String>> sources() throws IOException {
    Map<String, List<String>> sources = new TreeMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tests : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          collect(tests, sources);
        }
      }
    }
    return sources;
  }

  private static void collect(Path tests, Map<String, List<String>> into) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      for (Path file : files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        into.computeIfAbsent(name, _ -> new ArrayList<>()).add(Files.readString(file));
      }
    }
  }
}
