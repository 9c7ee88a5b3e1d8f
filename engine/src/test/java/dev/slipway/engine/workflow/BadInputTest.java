package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.AdminConfigParser;
import dev.slipway.engine.resolve.GoldenPathFile;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are wrong, each in a directory {@code bad/KIND/NAME} with all that must be said about
 * it beside it: code, place, message and hint. A file {@code x.link} is a link named x to what it
 * says.
 */
class BadInputTest {
  private static final Path CASES = Path.of("src/test/resources/bad");

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> every_mistake_is_reported_where_it_is_and_with_what_to_do()
      throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> all = Files.walk(CASES)) {
      for (Path expected : all.filter(f -> f.endsWith("expected.txt")).sorted().toList()) {
        Path source = expected.getParent();
        String kind = source.getParent().getFileName().toString();
        tests.add(
            DynamicTest.dynamicTest(
                kind + "/" + source.getFileName(),
                () -> assertThat(said(kind, source)).isEqualTo(Files.readString(expected))));
      }
    }
    assertThat(tests).hasSizeGreaterThan(60);
    return tests.stream();
  }

  private String said(String kind, Path source) throws IOException {
    Path copy = copied(source, directory.resolve(kind + "-" + source.getFileName()));
    Diagnostics found = new Diagnostics();
    WorkflowParser workflows = new WorkflowParser(Workflows.TYPES);
    switch (kind) {
      case "workflow" ->
          document(copy.resolve("w.yaml"), found).ifPresent(d -> workflows.parse(d, found));
      case "provider" -> {
        Path provider = copy.resolve("p");
        ProviderSource here = ProviderSource.directory(provider, 0);
        found.addAll(new ProviderLoader(workflows::parse).load(here, provider, null).diagnostics());
      }
      case "admin" ->
          document(copy.resolve("admin-config.yaml"), found)
              .ifPresent(d -> new AdminConfigParser(copy, _ -> null).parse(d, found));
      default -> {
        Path file = copy.resolve("goldenpaths.yaml");
        new GoldenPathFile(file, workflows::parse, found).read();
      }
    }
    return found.all().stream().map(BadInputTest::line).collect(Collectors.joining());
  }

  private static String line(Diagnostic diagnostic) {
    return diagnostic.code() + " " + diagnostic.text() + "\n";
  }

  private static java.util.Optional<Document> document(Path file, Diagnostics found)
      throws IOException {
    String name = file.getFileName().toString();
    return Document.parse(name, Files.readAllBytes(file), Limits.PROVIDER, found);
  }

  private static Path copied(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Path target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else if (target.toString().endsWith(".link")) {
          String name = target.getFileName().toString().replace(".link", "");
          Files.createSymbolicLink(target.resolveSibling(name), Path.of(Files.readString(each)));
        } else {
          Files.copy(each, target);
        }
      }
    }
    return to;
  }
}
