package dev.slipway.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scripts are run beside replicas that write: none may hold them up while it builds an index. */
class MigrationScriptsTest {
  /** Released before that rule; a script must not change once it is applied somewhere. */
  private static final Set<String> BEFORE =
      Set.of("V1__trunk.sql", "V2__workflows.sql", "V3__lists.sql", "V4__replaced_index.sql");

  private static final Pattern TABLE =
      Pattern.compile(
          "CREATE\\s+(?:UNLOGGED\\s+)?TABLE\\s+(?:IF NOT EXISTS\\s+)?(\\w+)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern INDEX =
      Pattern.compile(
          "CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+((?:CONCURRENTLY\\s+)?(?:IF NOT EXISTS\\s+)?)\\w+\\s+ON\\s+(\\w+)",
          Pattern.CASE_INSENSITIVE);

  /** Those of the trunk and of the branches. */
  static List<Path> scripts() throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module : modules.toList()) {
        all.addAll(scripts(module.resolve(Path.of("src", "main", "resources", "db"))));
      }
    }
    return all;
  }

  private static List<Path> scripts(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(f -> f.toString().endsWith(".sql"))
          .filter(f -> !BEFORE.contains(f.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void an_index_on_a_table_with_rows_is_built_concurrently_and_can_be_repeated(Path script)
      throws IOException {
    String sql = Files.readString(script).replaceAll("--[^\\n]*", "");
    Set<String> own = new TreeSet<>();
    TABLE.matcher(sql).results().forEach(t -> own.add(t.group(1)));
    for (Matcher index = INDEX.matcher(sql); index.find(); ) {
      if (!own.contains(index.group(2))) {
        assertThat(index.group(1)).as(index.group()).isEqualTo("CONCURRENTLY IF NOT EXISTS ");
      }
    }
    if (sql.contains("CONCURRENTLY")) {
      assertThat(Path.of(script + ".conf")).hasContent("executeInTransaction=false");
      assertThat(sql.strip()).startsWith("SET lock_timeout = '").endsWith("RESET lock_timeout;");
    }
  }
}
