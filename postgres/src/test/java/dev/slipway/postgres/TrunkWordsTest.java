package dev.slipway.postgres;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The trunk names no application: neither a type, a method or a field nor a text of it. The files
 * that still do are listed with their reason; a file that no longer does has to leave the list.
 */
class TrunkWordsTest {
  private static final String COLUMN = "columns that replicas of the release before read and write";
  private static final String CONTRACT = "names and words that users see, which stay";
  private static final String SEALED = "secrets are sealed with this text: another one opens none";
  private static final String TABLES = "reads tables of the branch: to be moved behind a seam";

  private static final Map<String, String> ALLOWED =
      Map.ofEntries(
          entry("engine/execute/ApprovalDesk.java", CONTRACT),
          entry("engine/execute/Dispatcher.java", CONTRACT),
          entry("engine/execute/StepCall.java", CONTRACT),
          entry("engine/lifecycle/Event.java", CONTRACT),
          entry("engine/resolve/AdminForms.java", CONTRACT),
          entry("engine/resolve/ProviderTestForms.java", CONTRACT),
          entry("engine/value/EncryptionContext.java", SEALED),
          entry("engine/workflow/NamespaceTemplate.java", CONTRACT),
          entry("engine/workflow/Scope.java", CONTRACT),
          entry("postgres/Resealing.java", TABLES),
          entry("postgres/access/Approval.java", CONTRACT),
          entry("postgres/access/Approvals.java", TABLES),
          entry("postgres/access/PlanApprovals.java", COLUMN),
          entry("postgres/access/Teams.java", TABLES),
          entry("postgres/embedded/Ports.java", CONTRACT),
          entry("postgres/environments/EnvironmentReconciler.java", CONTRACT),
          entry("postgres/events/EventLog.java", COLUMN),
          entry("postgres/events/Topic.java", COLUMN),
          entry("postgres/overview/RunFilter.java", CONTRACT),
          entry("postgres/overview/RunList.java", COLUMN),
          entry("postgres/overview/RunView.java", CONTRACT),
          entry("postgres/overview/Statistics.java", TABLES),
          entry("postgres/retention/Sweep.java", TABLES),
          entry("postgres/runs/Claims.java", COLUMN),
          entry("postgres/runs/PostgresApprovalDesk.java", COLUMN),
          entry("postgres/runs/RollbackRetries.java", COLUMN),
          entry("postgres/runs/RunInsert.java", COLUMN),
          entry("postgres/runs/UnstartedRuns.java", COLUMN));

  /** Lines of comments, and comments at the end of a line. */
  private static final Pattern COMMENT =
      Pattern.compile("^\\s*(\\*|/\\*|//).*$|\\s// .*$", Pattern.MULTILINE);

  /** PostgreSQL's name of a session, and media types. */
  private static final Pattern OTHER_MEANING =
      Pattern.compile("\"ApplicationName\"|application_name|setApplicationName|application/json");

  private static final Pattern WORD = Pattern.compile("application", Pattern.CASE_INSENSITIVE);

  @Test
  void no_other_file_of_the_trunk_names_an_application() {
    Set<String> naming = new TreeSet<>();
    for (String module : List.of("engine", "postgres")) {
      Path root = Path.of("..", module, "src", "main", "java", "dev", "slipway");
      sources(root)
          .forEach(
              (file, text) -> {
                if (WORD.matcher(code(text)).find()) {
                  naming.add(file);
                }
              });
    }
    assertThat(naming).containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
  }

  private static String code(String text) {
    return OTHER_MEANING.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll("");
  }

  private static Map<String, String> sources(Path root) {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        found.put(root.relativize(file).toString(), Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
