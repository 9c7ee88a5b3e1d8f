package dev.slipway.postgres.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No table without a bound that is written down. */
class BoundsTest {
  private static final Path PAGE = Path.of("..", "docs", "operations.md");
  private static final String HEADING = "## What grows and what bounds it";
  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

  @Test
  void every_table_is_listed_with_its_bound_and_nothing_else_is() throws IOException {
    assertThat(listed()).isEqualTo(tables());
  }

  /** Partitions are part of their table. */
  private static TreeSet<String> tables() {
    try (Database database = MigratedDatabase.open()) {
      return database
          .jdbi()
          .withHandle(
              h ->
                  new TreeSet<>(
                      h.createQuery(
                              """
                              SELECT t.table_name FROM information_schema.tables t
                               WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
                                 AND NOT (SELECT c.relispartition FROM pg_class c
                                           WHERE c.oid = to_regclass(quote_ident(t.table_name)))
                              """)
                          .mapTo(String.class)
                          .list()));
    }
  }

  /** The names in the first column of the table below the heading; each row states a bound. */
  private static TreeSet<String> listed() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).contains(HEADING);
    String part = page.substring(page.indexOf(HEADING) + HEADING.length());
    TreeSet<String> names = new TreeSet<>();
    for (String line : part.substring(0, part.indexOf("\n## ")).lines().toList()) {
      String[] cells = line.split("\\|");
      if (line.startsWith("| `")) {
        assertThat(cells).as(line).hasSizeGreaterThanOrEqualTo(4);
        assertThat(cells[2]).as(line).isNotBlank();
        assertThat(cells[3]).as(line).isNotBlank();
        Matcher name = NAME.matcher(cells[1]);
        while (name.find()) {
          assertThat(names.add(name.group(1))).as(line).isTrue();
        }
      }
    }
    return names;
  }
}
