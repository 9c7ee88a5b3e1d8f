package dev.slipway.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/**
 * States of runs, steps and resources are written by a few statements. What each of them may write
 * is held to the tables of the lifecycles by {@link LifecycleGuard} in all tests of stores.
 */
class StateWritersTest {
  /** Each of them moves by a table, or makes a row in its first state. */
  private static final Set<String> WRITERS =
      Set.of(
          "Claims", // pending or waiting to running
          "MoveWriter", // what Progress decided for resources
          "PlannedRuns", // new runs whose plan was approved
          "Reports", // what a run's end means for its resource
          "RetriedRuns", // carried steps of a run that retries another
          "RunInsert", // new runs
          "SpecWriter", // new resources
          "StepWrites", // what the worker of a run decided for its steps
          "TransitionBatch", // what the worker of a run decided for it
          "UnstartedRuns"); // pending to cancelled

  /** What is set comes before the tables and conditions of its statement. */
  private static final Pattern STATEMENT =
      Pattern.compile(
          "UPDATE\\s+(?:runs|steps|resources)\\b(?:(?!\\b(?:WHERE|FROM)\\b).)*?\\bSET\\b"
              + "(?:(?!\\b(?:WHERE|FROM)\\b).)*?[\\s,]state\\s*="
              + "|INSERT\\s+INTO\\s+(?:runs|steps|resources)\\b",
          Pattern.DOTALL);

  private static final Pattern TEXT =
      Pattern.compile(
          "\"\"\"(.*?)\"\"\"|((?:\"(?:[^\"\\\\\n]|\\\\.)*\"\\s*\\+?\\s*)+)", Pattern.DOTALL);

  @Test
  void no_other_statement_writes_a_state() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String module :
        Set.of("engine", "postgres", "steps", "applications", "server", "git", "cli")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          if (writes(Files.readString(file))) {
            found.add(file.getFileName().toString().replace(".java", ""));
          }
        }
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(WRITERS);
  }

  private static boolean writes(String source) {
    for (Matcher text = TEXT.matcher(source); text.find(); ) {
      String sql =
          text.group(1) == null
              ? text.group(2).replaceAll("\"\\s*\\+?\\s*\"?", " ")
              : text.group(1);
      if (STATEMENT.matcher(sql).find()) {
        return true;
      }
    }
    return false;
  }

  @Test
  void the_guard_of_the_tests_refuses_what_no_table_has() {
    try (Database database = MigratedDatabase.open()) {
      Jdbi jdbi = database.jdbi();
      LifecycleGuard.install(jdbi);
      UUID run = UUID.randomUUID();
      jdbi.useHandle(
          h ->
              h.execute(
                  """
                  INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment,
                                    team, inputs, state, created_by, created_at)
                  VALUES (?, 'platform', '', '', '', 'default', '', '{}', 'pending', '', now())
                  """,
                  run));
      assertThatThrownBy(
              () ->
                  jdbi.useHandle(
                      h -> h.execute("UPDATE runs SET state = 'succeeded' WHERE id = ?", run)))
          .hasMessageContaining("runs cannot go from pending to succeeded");
      jdbi.useHandle(h -> h.execute("UPDATE runs SET state = 'running' WHERE id = ?", run));
    }
  }
}
