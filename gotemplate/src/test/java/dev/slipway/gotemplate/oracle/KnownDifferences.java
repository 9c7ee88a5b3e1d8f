package dev.slipway.gotemplate.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The differences that stay, read from known-differences.txt: lines of a pattern, found in {@link
 * Difference#summary}, and the reason.
 */
final class KnownDifferences {
  private record Entry(Pattern pattern, String reason, int line) {}

  private final List<Entry> entries = new ArrayList<>();
  private final List<Entry> unused = new ArrayList<>();

  KnownDifferences() {
    int number = 0;
    for (String line : read().lines().toList()) {
      number++;
      String[] parts = line.split("	", 2);
      if (!line.startsWith("#")) {
        entries.add(new Entry(Pattern.compile(parts[0], Pattern.DOTALL), parts[1], number));
      }
    }
    unused.addAll(entries);
  }

  boolean know(Difference difference) {
    String summary = difference.summary();
    List<Entry> found =
        entries.stream().filter(entry -> entry.pattern.matcher(summary).find()).toList();
    unused.removeAll(found);
    return !found.isEmpty();
  }

  List<String> reasons() {
    return entries.stream().map(Entry::reason).toList();
  }

  /** Entries that no difference needed. */
  List<String> stale() {
    return unused.stream()
        .map(entry -> "known-differences.txt:" + entry.line + ": " + entry.pattern)
        .toList();
  }

  private static String read() {
    try (InputStream in = KnownDifferences.class.getResourceAsStream("known-differences.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
