package dev.slipway.gotemplate.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.oracle.OracleCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Executes each template first with Go, then with Java, one thread each, and prints how much both
 * do in a second.
 */
final class Benchmark {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path oracle;
  private Object sink;

  private Benchmark(Path oracle) {
    this.oracle = oracle;
  }

  /** Arguments: the built oracle, and the folder with the templates and their data. */
  public static void main(String[] arguments) throws IOException {
    Benchmark benchmark = new Benchmark(Path.of(arguments[0]));
    System.out.printf("%-10s %-36s %s%n", "", "executions per second", "parses per second");
    String columns = "%10s %10s %6s %6s".formatted("Go", "Java", "ratio", "cpu");
    System.out.printf("%-10s %s   %s%n", "", columns, columns);
    for (Path file : templates(Path.of(arguments[1]))) {
      benchmark.measure(file);
    }
  }

  private static List<Path> templates(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".tmpl")).sorted().toList();
    }
  }

  private void measure(Path file) throws IOException {
    String name = file.getFileName().toString().replace(".tmpl", "");
    String text = Files.readString(file);
    Object data = OracleCases.data(Files.readString(file.resolveSibling(name + ".json")));
    Settings settings = OracleCases.sprigSettings();
    Template template = Template.parse(name, text, settings);
    JsonNode go = go(file);
    if (!template.execute(data).equals(go.get("output").asText())) {
      throw new IllegalStateException(name + ": the two sides do not write the same");
    }
    Rate executions = Rate.measure(() -> sink = template.execute(data));
    Rate parses = Rate.measure(() -> sink = Template.parse(name, text, settings));
    System.out.printf(
        "%-10s %s   %s%n",
        name,
        executions.against(Rate.of(go.get("executions"))),
        parses.against(Rate.of(go.get("parses"))));
  }

  private JsonNode go(Path file) throws IOException {
    Process process =
        new ProcessBuilder(oracle.toString(), "bench", file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return JSON.readTree(process.getInputStream());
  }
}
