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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The trunk names no application and no table of a branch: rules about imports do not see texts of
 * SQL. The files that name applications are listed with their reason; a file that no longer does
 * has to leave the list. Comments are not looked at.
 */
class TrunkWordsTest {
  private static final List<String> TRUNK =
      List.of(
          "gotemplate", "controlplane", "engine", "postgres", "git", "kubernetes", "steps", "web");

  private static final String COLUMN = "a column that replicas of schema 12 read and write";
  private static final String CONTRACT = "words that users write or read, which stay";
  private static final String IDENTITY = "the parameter app_name, which only the engine sets";
  private static final String ARGO = "kind Application of Argo CD";

  private static final Map<String, String> ALLOWED =
      Map.ofEntries(
          entry("engine/execute/RunIdentity.java", IDENTITY),
          entry("engine/intake/ReservedParameters.java", IDENTITY),
          entry("engine/resolve/AdminForms.java", CONTRACT),
          entry("engine/resolve/GrantableSecrets.java", CONTRACT),
          entry("engine/resolve/ProviderTestForms.java", CONTRACT),
          entry("engine/workflow/NamespaceTemplate.java", CONTRACT),
          entry("engine/workflow/Scope.java", CONTRACT),
          entry("kubernetes/apply/Stamp.java", CONTRACT),
          entry("kubernetes/health/builtin/ArgoRules.java", ARGO),
          entry("kubernetes/health/builtin/BuiltInRules.java", ARGO),
          entry("kubernetes/workload/ScoreWorkload.java", CONTRACT),
          entry("postgres/RootColumn.java", COLUMN),
          entry("postgres/events/EventLog.java", COLUMN),
          entry("postgres/runs/Claims.java", COLUMN),
          entry("postgres/runs/PostgresApprovalDesk.java", COLUMN),
          entry("postgres/runs/RunInsert.java", COLUMN),
          entry("postgres/runs/SubjectColumns.java", COLUMN),
          entry("steps/ShellExecutor.java", CONTRACT),
          entry("steps/job/JobPlace.java", CONTRACT),
          entry("steps/kubernetes/KubernetesExecutor.java", CONTRACT),
          entry("steps/process/StepEnvironment.java", CONTRACT),
          entry("web/EventSchemas.java", CONTRACT),
          entry("web/events.yaml", CONTRACT),
          entry("web/schemas.yaml", CONTRACT));

  /** Tables of branches that the trunk's first scripts made, when there was one module. */
  private static final Set<String> OF_BRANCHES =
      Set.of(
          "applications",
          "revisions",
          "plans",
          "deployments",
          "resources",
          "resource_users",
          "resource_dependencies",
          "resource_transitions",
          "wakeups");

  private static final Path SCRIPTS = Path.of("src", "main", "resources", "db", "migration");

  /** The last script that was released before branches had scripts of their own. */
  private static final int LAST_OF_ALL = 12;

  private static final Pattern CREATED =
      Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?(\\w+)", Pattern.CASE_INSENSITIVE);

  /** Lines of comments, and comments at the end of a line, in Java, YAML and SQL. */
  private static final Pattern COMMENT =
      Pattern.compile("^\\s*(\\*|/\\*|//|#|--).*$|\\s(//|#|--) .*$", Pattern.MULTILINE);

  /** PostgreSQL's name of a session, and media types. */
  private static final Pattern OTHER_MEANING =
      Pattern.compile("\"ApplicationName\"|application_name|setApplicationName|application/");

  private static final Pattern WORD =
      Pattern.compile("application|\\bapp_name\\b|\"app\"", Pattern.CASE_INSENSITIVE);

  /** Routes and commands that there are only with applications. */
  private static final Pattern OF_THE_BRANCH =
      Pattern.compile(
          "/api/(applications|deployments|plans|resources|specs)\\b"
              + "|\\bslipway (deploy|destroy|plan|resource|rollback|status|validate)\\b");

  @Test
  void no_other_file_of_the_trunk_names_an_application() {
    Set<String> naming = new TreeSet<>();
    sources()
        .forEach(
            (file, text) -> {
              if (WORD.matcher(text).find()) {
                naming.add(file);
              }
            });
    assertThat(naming).containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
  }

  /** Fields of events and runs that lead to objects of the branch are described in YAML. */
  @Test
  void no_message_of_the_trunk_sends_its_reader_to_a_route_or_command_of_a_branch() {
    Map<String, String> found = new TreeMap<>();
    sources()
        .forEach(
            (file, text) -> {
              if (file.endsWith(".java")) {
                OF_THE_BRANCH
                    .matcher(text)
                    .results()
                    .forEach(match -> found.put(file, match.group()));
              }
            });
    assertThat(found).isEmpty();
  }

  @Test
  void no_statement_of_the_trunk_reads_or_writes_a_table_of_a_branch() {
    Pattern statement =
        Pattern.compile(
            "\\b(FROM|JOIN|INTO|UPDATE|USING|TABLE|ONLY|ON|REFERENCES|TRUNCATE)\\s+(%s)\\b"
                .formatted(String.join("|", tablesOfBranches())));
    Map<String, String> found = new TreeMap<>();
    sources()
        .forEach(
            (file, text) ->
                statement
                    .matcher(text.replaceAll("\"\\s*\\+\\s*\"", ""))
                    .results()
                    .forEach(match -> found.put(file, match.group())));
    assertThat(found).isEmpty();
  }

  @Test
  void no_script_of_the_trunk_after_the_first_branch_names_its_tables_or_its_kind() {
    Pattern word =
        Pattern.compile("\\b(application|%s)\\b".formatted(String.join("|", tablesOfBranches())));
    for (Path script : files(SCRIPTS, ".sql")) {
      if (version(script) > LAST_OF_ALL) {
        String sql = COMMENT.matcher(read(script)).replaceAll("");
        assertThat(word.matcher(sql).find()).as(script.toString()).isFalse();
      }
    }
  }

  @Test
  void the_tables_of_branches_in_the_first_scripts_are_those_listed_here() {
    assertThat(created(SCRIPTS)).containsAll(OF_BRANCHES);
  }

  private static Set<String> tablesOfBranches() {
    Set<String> tables = new TreeSet<>(OF_BRANCHES);
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      modules
          .map(module -> module.resolve(Path.of("src", "main", "resources", "db")))
          .filter(Files::isDirectory)
          .filter(scripts -> !Files.isDirectory(scripts.resolve("migration")))
          .forEach(scripts -> tables.addAll(created(scripts)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return tables;
  }

  private static Set<String> created(Path scripts) {
    return files(scripts, ".sql").stream()
        .flatMap(script -> CREATED.matcher(read(script)).results())
        .map(match -> match.group(1))
        .collect(Collectors.toSet());
  }

  /** {@code V6_1__growth_indexes.sql} has version 6. */
  private static int version(Path script) {
    return Integer.parseInt(script.getFileName().toString().replaceAll("^V(\\d+).*", "$1"));
  }

  /** Java and YAML of the trunk's modules, without comments, by their places. */
  private static Map<String, String> sources() {
    Map<String, String> found = new TreeMap<>();
    for (String module : TRUNK) {
      Path main = Path.of("..", module, "src", "main");
      for (String kind : List.of("java", "resources")) {
        Path root = main.resolve(Path.of(kind, "dev", "slipway"));
        for (Path file : files(root, ".java", ".yaml")) {
          String code = COMMENT.matcher(read(file)).replaceAll("");
          found.put(root.relativize(file).toString(), OTHER_MEANING.matcher(code).replaceAll(""));
        }
      }
    }
    return found;
  }

  private static List<Path> files(Path root, String... endings) {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
