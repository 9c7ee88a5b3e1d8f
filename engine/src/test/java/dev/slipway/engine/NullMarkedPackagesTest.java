package dev.slipway.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * NullAway checks only what is null-marked, so a package that lacks the mark would pass the build
 * unchecked.
 */
class NullMarkedPackagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern MARK = Pattern.compile("^@NullMarked$", Pattern.MULTILINE);

  @Test
  void every_main_package_of_every_module_is_null_marked() throws IOException {
    Set<Path> packages = packages();
    assertThat(packages).contains(ROOT.resolve("engine/src/main/java/dev/slipway/engine/execute"));
    Set<Path> unmarked = new TreeSet<>();
    for (Path directory : packages) {
      if (!isMarked(directory.resolve("package-info.java"))) {
        unmarked.add(ROOT.relativize(directory));
      }
    }
    assertThat(unmarked).isEmpty();
  }

  private static Set<Path> packages() throws IOException {
    Set<Path> packages = new TreeSet<>();
    for (String module : modules()) {
      packages.addAll(packages(module));
    }
    return packages;
  }

  private static List<String> modules() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    return MODULE.matcher(pom).results().map(r -> r.group(1)).toList();
  }

  private static boolean isMarked(Path file) throws IOException {
    return Files.exists(file) && MARK.matcher(Files.readString(file)).find();
  }

  /** The directories with Java files; a module may have none. */
  private static Set<Path> packages(String module) throws IOException {
    Path sources = ROOT.resolve(module).resolve("src/main/java");
    Set<Path> directories = new TreeSet<>();
    if (Files.isDirectory(sources)) {
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(f -> f.toString().endsWith(".java"))
            .forEach(f -> directories.add(f.getParent()));
      }
    }
    return directories;
  }
}
