package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The trunk stands alone: in a copy of the sources each branch is taken away, its module and its
 * line in the wiring. The rest builds, starts, runs a workflow that belongs to no object of a
 * branch and answers its API.
 */
@Tag("proof")
class BranchesTakenAwayTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path WIRING =
      Path.of("server", "src", "main", "java", "dev", "slipway", "server", "BranchList.java");

  /** {@code import dev.slipway.stacks.StacksBranch;} names module and class of a branch. */
  private static final Pattern BRANCH =
      Pattern.compile("import dev\\.slipway\\.(\\w+)\\.(\\w+Branch);\n");

  private static final Pattern MODULE = Pattern.compile("<module>(\\w+)</module>");
  private static final Pattern READY = Pattern.compile("Slipway is ready at (\\S+)");
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir Path directory;

  @Test
  void what_is_left_builds_starts_runs_a_workflow_and_answers_its_api() throws Exception {
    Path copy = Files.createDirectories(directory.resolve("copy"));
    List<String> branches = branches();
    assertThat(branches).isNotEmpty();
    List<String> modules = modules().stream().filter(m -> !branches.contains(m)).toList();
    copy(copy, modules);
    takeAway(copy, branches);
    build(copy);
    String classes = classPath(copy, modules);
    Path data = directory.resolve("data");
    Path out = directory.resolve("server.out");
    Process server = server(classes, data, out);
    try {
      Slipway slipway = new Slipway(classes, url(server, out), data.resolve("admin-token"));
      assertThat(slipway.does("golden-path", "run", "tell", "--wait")).contains("tell succeeded");
      assertThat(slipway.does("get", "runs", "-o", "json"))
          .contains("\"golden-path\"", "\"succeeded\"");
      assertThat(slipway.does("get", "environments")).contains("default");
      assertThat(slipway.refuses("get", "applications")).contains("applications");
    } finally {
      server.destroy();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).as("the server stops").isTrue();
    }
  }

  private static List<String> branches() throws IOException {
    return BRANCH
        .matcher(Files.readString(ROOT.resolve(WIRING)))
        .results()
        .map(branch -> branch.group(1))
        .toList();
  }

  private static List<String> modules() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(module -> module.group(1))
        .toList();
  }

  private static void copy(Path copy, List<String> modules) throws IOException {
    Files.copy(ROOT.resolve("pom.xml"), copy.resolve("pom.xml"));
    copyTree(ROOT.resolve(".mvn"), copy.resolve(".mvn"));
    for (String module : modules) {
      Files.createDirectories(copy.resolve(module));
      Files.copy(ROOT.resolve(module).resolve("pom.xml"), copy.resolve(module).resolve("pom.xml"));
      copyTree(
          ROOT.resolve(module).resolve(Path.of("src", "main")),
          copy.resolve(module).resolve(Path.of("src", "main")));
    }
  }

  private static void copyTree(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      return;
    }
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }

  /** The module's entries in the build, and the line of each branch in the wiring. */
  private static void takeAway(Path copy, List<String> branches) throws IOException {
    try (Stream<Path> poms = Files.walk(copy, 2)) {
      for (Path pom : poms.filter(f -> f.endsWith("pom.xml")).toList()) {
        String text = Files.readString(pom);
        for (String branch : branches) {
          text = text.replace("<module>" + branch + "</module>", "");
          text =
              text.replaceAll(
                  "<dependency>\\s*<groupId>dev.slipway</groupId>\\s*<artifactId>"
                      + branch
                      + "</artifactId>(?s:.*?)</dependency>",
                  "");
        }
        Files.writeString(pom, text);
      }
    }
    Path wiring = copy.resolve(WIRING);
    String text = Files.readString(wiring);
    for (Matcher branch = BRANCH.matcher(text); branch.find(); ) {
      text = text.replaceFirst("new " + branch.group(2) + "\\(\\),?", "");
    }
    Files.writeString(wiring, BRANCH.matcher(text).replaceAll(""));
  }

  /** As the checkout was built, from what the machine has; only the command and the server. */
  private void build(Path copy) throws Exception {
    List<String> maven =
        new ArrayList<>(List.of("mvn", "-B", "-q", "-o", "--no-transfer-progress", "-Dunchecked"));
    maven.addAll(List.of("-Dmaven.test.skip=true", "-Dspotless.check.skip=true"));
    Optional.ofNullable(System.getProperty("maven.repo.local"))
        .ifPresent(repository -> maven.add("-Dmaven.repo.local=" + repository));
    maven.addAll(List.of("-pl", "cli,server", "-am", "compile"));
    Path log = directory.resolve("build.log");
    ProcessBuilder builder =
        new ProcessBuilder(maven)
            .directory(copy.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    Process build = builder.start();
    try {
      assertThat(build.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).as("the build ends").isTrue();
      assertThat(build.exitValue()).as(Files.readString(log)).isZero();
    } finally {
      build.destroyForcibly();
    }
  }

  /** The copy's classes and this test's libraries, without what was built in the checkout. */
  private static String classPath(Path copy, List<String> modules) {
    Stream<String> built =
        modules.stream()
            .map(module -> copy.resolve(module).resolve(Path.of("target", "classes")))
            .filter(Files::isDirectory)
            .map(Path::toString);
    Stream<String> libraries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).toAbsolutePath().normalize().startsWith(ROOT));
    return Stream.concat(built, libraries).collect(Collectors.joining(File.pathSeparator));
  }

  private Process server(String classes, Path data, Path out) throws IOException {
    TestDatabase database = TestPostgres.freshDatabase();
    ProcessBuilder builder =
        java(classes, "dev.slipway.server.Main")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.command().addAll(List.of("--database", database.jdbcUrl(), "--data", data.toString()));
    builder.command().addAll(List.of("--listen", "127.0.0.1:0", "--config", config().toString()));
    builder.environment().put("SLIPWAY_DATABASE_USER", database.user());
    builder.environment().put("SLIPWAY_DATABASE_PASSWORD", database.password());
    return builder.start();
  }

  private Path config() throws IOException {
    Path provider = Files.createDirectories(directory.resolve("notes"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: notes, version: 1.0.0}
        capabilities: {resourceTypes: [note]}
        workflows:
          - {name: make-note, file: ./make.yaml, category: provisioner}
          - {name: tell, file: ./make.yaml, category: goldenpath}
        """);
    Files.writeString(
        provider.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make-note}
        steps:
          - {name: write, type: shell, config: {script: 'exit 0'}}
        """);
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers:\n  - {source: filesystem, path: %s}\n".formatted(provider));
  }

  private static ProcessBuilder java(String classes, String main) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
        new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-cp", classes, main)));
  }

  private static String url(Process server, Path out) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .until(
            () -> {
              assertThat(server.isAlive()).as(Files.readString(out)).isTrue();
              Matcher ready = READY.matcher(Files.readString(out));
              return ready.find() ? Optional.of(ready.group(1)) : Optional.<String>empty();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  /** The command of the copy. */
  private record Slipway(String classes, String url, Path token) {
    String does(String... arguments) throws Exception {
      Said said = run(arguments);
      assertThat(said.code()).as(said.text()).isZero();
      return said.text();
    }

    String refuses(String... arguments) throws Exception {
      Said said = run(arguments);
      assertThat(said.code()).as(said.text()).isNotZero();
      return said.text();
    }

    private Said run(String... arguments) throws Exception {
      ProcessBuilder builder = java(classes, "dev.slipway.cli.Main").redirectErrorStream(true);
      builder.command().addAll(List.of(arguments));
      builder
          .environment()
          .putAll(Map.of("SLIPWAY_SERVER", url, "SLIPWAY_TOKEN", Files.readString(token).strip()));
      Process process = builder.start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(process.waitFor(), text);
    }
  }

  private record Said(int code, String text) {}
}
