package dev.slipway.gotemplate.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The cases that are stored with the results of real Go. */
final class CommittedCases {
  private CommittedCases() {}

  static List<OracleCase> all() {
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .filter(file -> file.toString().endsWith(".jsonl"))
          .sorted()
          .flatMap(CommittedCases::lines)
          .map(OracleCase::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() {
    try {
      return Path.of(CommittedCases.class.getResource("known-differences.txt").toURI()).getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
