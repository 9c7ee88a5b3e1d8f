package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.GitRepository;
import dev.slipway.testbed.PostgresVersion;
import dev.slipway.testbed.TerraformProgram;
import dev.slipway.testbed.TestAnsible;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestGitea;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A server with the bundled providers and a provider that uses every kind of step, the systems that
 * they reach, and the application of team blue, which has one resource of every type.
 */
final class HostileWorld implements AutoCloseable {
  static final Path PROVIDER = Path.of("src", "test", "resources", "hostile-provider");

  /** What every executor makes for team blue, and the word that its resources of it have. */
  private static final Map<String, String> PROBES =
      new TreeMap<>(
          Map.of(
              "probe", "blue",
              "probe-http", "blueword",
              "probe-git", "bluefile",
              "probe-gitea", "bluefarm-config",
              "probe-ansible", "blueplay",
              "probe-module", "bluenet",
              "probe-people", "blue",
              "probe-object", "bluesettings",
              "probe-space", "blue-space",
              "probe-kind", "ConfigMap"));

  static final List<String> BUNDLED = List.of("volume", "git-repo", "postgres");

  /** What team red may ask for. */
  enum Kinds {
    BUNDLED,
    ALL;

    /** By weight: what the bundled providers take needs the most care. */
    private List<String> types() {
      List<String> types = new ArrayList<>(HostileWorld.BUNDLED);
      if (this == ALL) {
        types.addAll(HostileWorld.BUNDLED);
        types.addAll(PROBES.keySet());
      }
      return types;
    }
  }

  final Running running;
  final String red;
  final String blue;
  private final Kinds kinds;
  private final TestDatabase target;
  private final ThingsServer things = new ThingsServer();
  private final TestGitea gitea = new TestGitea();
  private final Path repositories;
  private final Path canary;
  private final Watched watched;
  private final Map<String, Object> login;

  /** The server with these bundled providers, and team blue's application at work. */
  HostileWorld(Path directory, Path providers, Kinds kinds) throws IOException, SQLException {
    this.kinds = kinds;
    // On a server of its own: no step may log in as a superuser where the state is.
    target = TestPostgres.freshDatabase(PostgresVersion.V17);
    repositories = Files.createDirectories(directory.resolve("repositories"));
    canary = directory.resolve("world/canary");
    GitRepository.create(repositories, "red").write("README", "red").commit("first");
    GitRepository.create(repositories, "blue").write("README", "blue").commit("first");
    things.put("/blue/farm", "kept");
    gitea.organisation("acme");
    gitea.repository("acme", "bluehouse", "made by hand");
    Path data = Files.createDirectories(directory.resolve("world/data"));
    Files.createDirectories(data.resolve("providers/probe"));
    running =
        new Running(
            TestPostgres.freshDatabase(), data, Optional.of(configuration(directory)), providers);
    blue = running.member("bea", "blue", "developer");
    red = running.member("rosa", "red", "developer");
    deploy();
    watched = new Watched(running, target, blue);
    login = outputs("db");
    try (var connection = Watched.connect(login);
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE keep AS SELECT id, 'word-' || id AS word FROM generate_series(1, 50) id");
    }
  }

  private Path configuration(Path directory) throws IOException {
    Map<String, String> places =
        Map.of(
            "@THINGS@", things.url(),
            "@REPOSITORY@", "file://" + repositories.resolve("red.git"),
            "@PROGRAM@", TerraformProgram.any().toString(),
            "@PATH@", TestAnsible.path());
    Path copy = directory.resolve("provider");
    try (Stream<Path> files = Files.walk(PROVIDER)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file);
        for (Map.Entry<String, String> place : places.entrySet()) {
          text = text.replace(place.getKey(), place.getValue());
        }
        Path to = copy.resolve(PROVIDER.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.writeString(to, text);
      }
    }
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        """
        providers:
          - source: filesystem
            path: %s
            grants:
              connections: [postgres]
              hosts: [127.0.0.1, 'file://']
              clusters: [world]
              repositories: ['file://%s/red.git', '%s/acme/*']
        connections: {postgres: {url: '%s', username: '%s', password: '%s'}}
        gitea: {url: '%s', token: root-token}
        %s"""
            .formatted(
                copy,
                repositories,
                gitea.url(),
                target.jdbcUrl(),
                target.user(),
                target.password(),
                gitea.url(),
                HostileCluster.configuration()));
  }

  private void deploy() {
    StringBuilder score =
        new StringBuilder(
            """
            apiVersion: score.dev/v1b1
            metadata: {name: bluefarm}
            resources:
              db: {type: postgres}
              files: {type: volume}
              code: {type: git-repo}
              commons: {type: volume, id: commons, metadata: {annotations: {slipway.dev/shared-with: red}}}
            """);
    probes()
        .forEach(
            (type, word) ->
                score.append("  %s: {type: %s, params: {word: %s}}\n".formatted(type, type, word)));
    running.as(blue).yaml("/api/specs", score.toString()).expect(201);
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(
            () -> {
              agree();
              assertThat(application()).containsEntry("state", "active");
            });
  }

  private Map<String, String> probes() {
    return kinds == Kinds.ALL ? PROBES : Map.of();
  }

  /** An operator who says yes to everything. */
  void agree() {
    var pending = running.asAdmin().get("/api/approvals?state=pending").json().get("data");
    for (Object each : (List<?>) pending) {
      running.asAdmin().post("/api/approvals/" + Values.map(each).get("id") + "/approve", "{}");
    }
  }

  private Map<String, Object> application() {
    return running.as(blue).get("/api/applications/bluefarm").expect(200).json();
  }

  private Map<String, Object> outputs(String resource) {
    var reply =
        running
            .as(blue)
            .get("/api/resources/" + resource(resource).get("id") + "/outputs?reveal=true")
            .expect(200)
            .json();
    return reply.get("outputs") instanceof Map<?, ?> map ? Values.map(map) : reply;
  }

  private Map<String, Object> resource(String name) {
    return ((List<?>) application().get("resources"))
        .stream()
            .map(Values::map)
            .filter(r -> name.equals(r.get("name")))
            .findFirst()
            .orElseThrow();
  }

  /** Everything of team blue and everything beside it, by name. */
  Map<String, String> snapshot() {
    Map<String, String> all = watched.snapshot();
    all.put("rows", Watched.rows(login));
    things.snapshot(all);
    HostileCluster.snapshot(all);
    gitea.all().forEach((name, repository) -> all.put("gitea " + name, repository.toString()));
    for (String name : List.of("red", "blue")) {
      Path bare = repositories.resolve(name + ".git");
      GitRepository.git(bare, "ls-tree", "-r", "main")
          .lines()
          .forEach(line -> all.put(name + ".git " + line, ""));
      GitRepository.git(bare, "for-each-ref", "--format=%(refname)")
          .lines()
          .forEach(line -> all.put(name + ".git " + line, ""));
    }
    all.put("blue.git", GitRepository.git(repositories.resolve("blue.git"), "rev-parse", "main"));
    return all;
  }

  /** Everything that team blue's resources are called. */
  HostileDocuments.Knowledge knowledge() {
    List<String> foreign = new ArrayList<>(List.of("bluefarm", "blue", "default", "commons"));
    Map<String, List<String>> fitting = new TreeMap<>();
    for (String name : List.of("db", "files", "code", "commons")) {
      Map<String, Object> outputs = outputs(name);
      foreign.add(name);
      foreign.add(String.valueOf(resource(name).get("id")));
      for (String key : List.of("path", "database", "username", "first_commit", "url")) {
        if (outputs.get(key) != null) {
          foreign.add(String.valueOf(outputs.get(key)));
          add(fitting, key, String.valueOf(outputs.get(key)));
        }
      }
      if (outputs.get("path") != null) {
        String path = String.valueOf(outputs.get("path"));
        String below = path.substring(path.indexOf("default/bluefarm")).replace("/data", "");
        foreign.add(below);
        add(fitting, "adopt", below);
      }
    }
    if (kinds == Kinds.ALL) {
      words(fitting);
    }
    return new HostileDocuments.Knowledge(
        kinds.types(), List.copyOf(foreign), fitting, canary.toString());
  }

  /** Names of team blue's things in the systems that the kinds of steps reach. */
  private void words(Map<String, List<String>> fitting) {
    PROBES.forEach((type, word) -> add(fitting, type + ".word", word));
    add(fitting, "probe-gitea.word", "bluehouse");
    List.of("blue-apps", "commons", "default", "kube-system", "red-apps/../blue-apps")
        .forEach(name -> add(fitting, "probe-space.word", name));
    for (int weight = 0; weight < 4; weight++) {
      List.of("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "ResourceQuota")
          .forEach(name -> add(fitting, "probe-kind.word", name));
    }
    List.of("kube-root-ca.crt", "../../blue-apps/configmaps/x", "bluesettings?force=true")
        .forEach(name -> add(fitting, "probe-object.word", name));
    add(fitting, "probe-http.word", "../../blue/farm");
    add(fitting, "probe-http.word", "../" + resource("probe-http").get("id") + "/header");
    add(fitting, "probe-http.word", things.notGranted());
    add(fitting, "probe-http.word", "@" + things.notGranted() + "/");
    add(fitting, "probe-git.word", "../" + resource("probe-git").get("id") + "/made");
    add(fitting, "probe-git.word", repositories.resolve("blue.git").toString());
    try (Stream<Path> workspaces = Files.list(running.data.resolve("workspaces/probe"))) {
      workspaces.forEach(path -> add(fitting, "probe-git.word", path.resolve("place").toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(Map<String, List<String>> fitting, String key, String value) {
    fitting.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
  }

  /** Team blue removes its application, which nothing may have got in the way of. */
  void removeBlue() {
    running.as(blue).delete("/api/applications/bluefarm?confirm=bluefarm").expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(blue).get("/api/applications/bluefarm").status() == 404);
  }

  @Override
  public void close() {
    running.close();
    things.close();
    gitea.close();
  }
}
