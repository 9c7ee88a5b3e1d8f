package dev.slipway.gotemplate.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.oracle.OracleCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Executes each template first with Go, then with Java, one thread each, and prints both rates.
 * Five rounds of a second follow the warm-up; the median counts.
 */
final class Benchmark {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SECOND = 1_000_000_000L;
  private static final int WARM_UP_SECONDS = 4;
  private static final int ROUNDS = 5;

  private final Path oracle;
  private Object sink;

  private Benchmark(Path oracle) {
    this.oracle = oracle;
  }

  /** Arguments: the built oracle, and the folder with the templates and their data. */
  public static void main(String[] arguments) throws IOException {
    Benchmark benchmark = new Benchmark(Path.of(arguments[0]));
    System.out.printf(
        "%-10s %12s %12s %6s   %12s %12s %6s%n",
        "", "Go exec/s", "Java exec/s", "ratio", "Go parse/s", "Java parse/s", "ratio");
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
    double executions = rate(() -> sink = template.execute(data));
    double parses = rate(() -> sink = Template.parse(name, text, settings));
    System.out.printf(
        "%-10s %12.0f %12.0f %6.2f   %12.0f %12.0f %6.2f%n",
        name,
        go.get("executions").asDouble(),
        executions,
        executions / go.get("executions").asDouble(),
        go.get("parses").asDouble(),
        parses,
        parses / go.get("parses").asDouble());
  }

  private JsonNode go(Path file) throws IOException {
    Process process =
        new ProcessBuilder(oracle.toString(), "bench", file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return JSON.readTree(process.getInputStream());
  }

  private static double rate(Runnable work) {
    perSecond(work, WARM_UP_SECONDS * SECOND);
    List<Double> rates = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      rates.add(perSecond(work, SECOND));
    }
    return rates.stream().sorted().toList().get(ROUNDS / 2);
  }

  private static double perSecond(Runnable work, long nanoseconds) {
    long start = System.nanoTime();
    long count = 0;
    long spent = 0;
    while (spent < nanoseconds) {
      for (int i = 0; i < 20; i++) {
        work.run();
      }
      count += 20;
      spent = System.nanoTime() - start;
    }
    return count * (double) SECOND / spent;
  }
}
