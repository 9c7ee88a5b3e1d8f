package dev.slipway.cli;

import dev.slipway.cli.cases.Difference;
import dev.slipway.cli.cases.Ownership;
import dev.slipway.engine.value.Sha256;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What can be seen of a thing at one time: files in the provider's data directory, what the script
 * of the case prints, what the provider's read workflow finds.
 */
record ObservedObject(Map<String, String> facts) {

  /** By looking into the directory and by the script of the case, if it has one. */
  static ObservedObject seen(CaseScript script, Ownership ownership, CaseScript.About about)
      throws IOException, InterruptedException {
    ObservedObject files = inDirectory(script.data(), ownership);
    return ownership.verify().isPresent()
        ? files.with("verify", script.run(ownership.verify().get(), about).report())
        : files;
  }

  /** The files of the provider. */
  static ObservedObject inDirectory(Path data, Ownership ownership) throws IOException {
    List<PathMatcher> shared =
        ownership.sharedFiles().stream()
            .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
            .toList();
    Map<String, String> facts = new LinkedHashMap<>();
    if (Files.isDirectory(data)) {
      try (Stream<Path> files = Files.walk(data)) {
        for (Path file : files.skip(1).sorted().toList()) {
          Path name = data.relativize(file);
          if (shared.stream().noneMatch(pattern -> pattern.matches(name))) {
            facts.put("file " + name, content(file));
          }
        }
      }
    }
    return new ObservedObject(facts);
  }

  private static String content(Path file) throws IOException {
    if (Files.isSymbolicLink(file)) {
      return "link to " + Files.readSymbolicLink(file);
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return "directory";
    }
    byte[] bytes = Files.readAllBytes(file);
    return bytes.length + " bytes, sha256 " + Sha256.hex(bytes).substring(0, 12);
  }

  ObservedObject with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(facts);
    more.put(name, value);
    return new ObservedObject(more);
  }

  boolean hasMoreThan(ObservedObject before) {
    return !before.facts.keySet().containsAll(facts.keySet());
  }

  /** What is not as it was. What came anew belongs to the second team. */
  List<Difference> changed(ObservedObject now) {
    List<Difference> found = new ArrayList<>();
    facts.forEach(
        (name, before) -> {
          String after = now.facts.getOrDefault(name, "(gone)");
          if (!after.equals(before)) {
            found.add(new Difference(name + ", not the second team's", before, after));
          }
        });
    return found;
  }
}
