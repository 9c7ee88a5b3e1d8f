package dev.slipway.cli;

import dev.slipway.cli.cases.CaseFile;
import dev.slipway.cli.cases.TestCase;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.workflow.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All test cases of a provider: the YAML files in its directory {@code tests}. */
record TestSuite(String provider, Map<String, List<TestCase>> files, List<Diagnostic> diagnostics) {

  static TestSuite read(Path directory, Provider provider) {
    Diagnostics diagnostics = new Diagnostics();
    CaseFile reader = new CaseFile(offer(provider), diagnostics);
    Map<String, List<TestCase>> files = new LinkedHashMap<>();
    for (Path file : filesIn(directory.resolve("tests"))) {
      String name = "tests/" + file.getFileName();
      files.put(name, reader.read(directory.resolve(name).toString(), ScoreFile.bytes(file)));
    }
    return new TestSuite(provider.name(), files, diagnostics.all());
  }

  int size() {
    return files.values().stream().mapToInt(List::size).sum();
  }

  /** Only the cases whose name has the text in it. */
  TestSuite filtered(String text) {
    Map<String, List<TestCase>> left = new LinkedHashMap<>();
    files.forEach(
        (file, cases) -> {
          List<TestCase> some =
              cases.stream()
                  .filter(
                      c ->
                          c.name()
                              .toLowerCase(java.util.Locale.ROOT)
                              .contains(text.toLowerCase(java.util.Locale.ROOT)))
                  .toList();
          if (!some.isEmpty()) {
            left.put(file, some);
          }
        });
    return new TestSuite(provider, left, diagnostics);
  }

  List<String> names() {
    return files.values().stream().flatMap(List::stream).map(TestCase::name).toList();
  }

  private static List<Path> filesIn(Path tests) {
    if (!Files.isDirectory(tests)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(tests)) {
      return found.filter(f -> f.toString().matches(".*\\.ya?ml")).sorted().toList();
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "cannot read " + tests + ": " + e.getMessage());
    }
  }

  private static CaseFile.Offer offer(Provider provider) {
    Set<String> paths =
        provider.manifest().workflows().stream()
            .filter(w -> w.category() == Manifest.Category.GOLDEN_PATH)
            .map(Manifest.Entry::name)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> steps = new TreeSet<>();
    provider.definitions().values().forEach(d -> collect(d.workflow().steps(), steps));
    return new CaseFile.Offer(new TreeSet<>(provider.manifest().claimedTypes()), paths, steps);
  }

  private static void collect(List<Step> steps, Set<String> names) {
    for (Step step : new ArrayList<>(steps)) {
      names.add(step.name());
      collect(step.compensate(), names);
      collect(step.onError().rollbackSteps(), names);
    }
  }
}
