package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import com.sun.net.httpserver.HttpServer;
import dev.slipway.engine.value.Json;
import dev.slipway.web.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Plants secrets by every way in, lets everything happen to them that can happen, and then searches
 * everything that people or programs can read.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedSecretTest {
  private final Plants plants = new Plants();
  private final StringBuffer log = new StringBuffer();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          log.append(event.getFormattedMessage()).append('\n');
          if (event.getThrowableProxy() != null) {
            log.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
          }
        }
      };
  private final List<String> answers = new ArrayList<>();
  private Path home;
  private HttpServer echo;
  private Running running;

  @BeforeAll
  void plant(@TempDir Path directory) throws IOException {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    appender.setContext(root.getLoggerContext());
    appender.start();
    root.addAppender(appender);
    Logger own = (Logger) LoggerFactory.getLogger("dev.slipway");
    own.setLevel(Level.DEBUG);
    own.setAdditive(false); // only for the search
    own.addAppender(appender);
    home = directory;
    echo = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    echo.createContext(
        "/",
        exchange -> {
          // A service as bad as they come: it gives back whatever it was sent.
          String said =
              "you said "
                  + exchange.getRequestHeaders().get("Authorization")
                  + " and "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          byte[] reply = Json.write(Map.of("said", said)).getBytes(StandardCharsets.UTF_8);
          int status = exchange.getRequestURI().getPath().equals("/bad") ? 418 : 200;
          exchange.sendResponseHeaders(status, reply.length);
          exchange.getResponseBody().write(reply);
          exchange.close();
        });
    echo.start();
    write("granted", plants.awkward("a granted secret"));
    write("config", plants.plant("a password in the configuration"));
    write("url", plants.plant("a password in a connection's address"));
    provider();
    Path config = home.resolve("admin-config.yaml");
    Files.writeString(
        config,
        """
        secrets: {tool-key: '${file:granted}'}
        connections:
          lost: {url: 'jdbc:postgresql://127.0.0.1:1/x?password=${file:url}', username: u, password: '${file:config}'}
        gitea: {url: 'http://127.0.0.1:1', token: '${file:config}'}
        providers:
          - {source: filesystem, path: ./vault, grants: {secrets: [tool-key], hosts: ['127.0.0.1'], connections: [lost]}}
        """);
    running = new Running(Optional.of(config));
    live();
  }

  @AfterAll
  void stop() {
    running.close();
    echo.stop(0);
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).detachAppender(appender);
    Logger own = (Logger) LoggerFactory.getLogger("dev.slipway");
    own.detachAppender(appender);
    own.setAdditive(true);
    own.setLevel(null);
  }

  private void write(String name, String text) throws IOException {
    Files.createDirectories(home.resolve(name).getParent());
    Files.writeString(home.resolve(name), text);
  }

  private void provider() throws IOException {
    write(
        "vault/provider.yaml",
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: vault, version: 1.0.0}
        capabilities:
          resourceTypes: [box, leak, lost, askbox]
        workflows:
          - {name: make-box, file: ./box.yaml, category: provisioner, resourceType: box}
          - {name: make-leak, file: ./leak.yaml, category: provisioner, resourceType: leak}
          - {name: make-lost, file: ./lost.yaml, category: provisioner, resourceType: lost}
          - {name: make-askbox, file: ./askbox.yaml, category: provisioner, resourceType: askbox}
          - {name: drop, file: ./drop.yaml, operation: delete}
          - {name: path, file: ./path.yaml, category: goldenpath}
          - {name: inner, file: ./inner.yaml, category: goldenpath}
        """);
    String head =
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s}
        parameters:
          - {name: alpha, type: secret}
          - {name: pin, type: secret, pattern: '^[0-9]+$'}
        steps:
        """;
    write("made", plants.plant("a step's output named password"));
    write("declared", plants.plant("a workflow's output declared secret"));
    write("inner", plants.plant("a sub-workflow's output named token"));
    write(
        "vault/box.yaml",
        head.formatted("box")
            + """
              - name: speak
                type: shell
                config:
                  script: |
                    cat /proc/$$/cmdline /proc/$PPID/cmdline > %1$s/cmdline
                    echo "plain $TOOL_KEY and" {{ .parameters.alpha }} {{ .parameters.password }}
                    printf %%s "$TOOL_KEY" | base64 -w0; echo
                    printf 'user:%%s' "$TOOL_KEY" | base64 -w0; echo
                    printf 'user:%%s@host' {{ .parameters.alpha }} | base64 -w0 >&2; echo
                    s="$TOOL_KEY"; for ((i = 0; i < ${#s}; i++)); do printf '%%%%%%02X' "'${s:i:1}"; done; echo
                    echo "https://x/?key="{{ .parameters.alpha | urlquery }}
                    made=$(cat %1$s/made)
                    echo "{\\"deep\\": {\\"password\\": \\"$made\\"}}"
                    echo "OUTPUT_password=$made"
                    echo "OUTPUT_url=postgres://me:$made@host/db"
                    echo "OUTPUT_hidden=$(cat %1$s/declared)"
                    echo "OUTPUT_embedded=x-$TOOL_KEY-x"
                setVariables: {remembered: 'v {{ .context.secrets.tool-key }}'}
              - name: call
                type: http
                config:
                  url: 'http://127.0.0.1:%2$d/good'
                  method: POST
                  auth: {username: me, password: '{{ .context.secrets.tool-key }}'}
                  json: {token: '{{ .parameters.alpha }}', kept: '{{ .variables.remembered }}'}
              - name: refused
                type: http
                on_error: continue
                config:
                  url: 'http://127.0.0.1:%2$d/bad?key={{ .parameters.alpha }}'
                  headers: {Authorization: 'Bearer {{ .parameters.password }}'}
              - name: sub
                type: workflow
                workflow: inner
                parameters: {alpha: 'sub {{ .parameters.alpha }}'}
              - name: query
                type: sql
                on_error: continue
                config: {connection: lost, query: 'SELECT 1'}
            outputs:
              password: '{{ .steps.speak.output.password }}'
              hidden: {value: '{{ .steps.speak.output.hidden }}', secret: true}
              url: '{{ .steps.speak.output.url }}'
              said: '{{ .steps.call.output.json.said }}'
              inner: '{{ .steps.sub.output.token }}'
            """
                .formatted(home, echo.getAddress().getPort()));
    write(
        "vault/inner.yaml",
        head.formatted("inner")
            + """
              - name: within
                type: shell
                config:
                  script: |
                    echo "inside" {{ .parameters.alpha }} "$TOOL_KEY"
                    echo "OUTPUT_token=$(cat %s/inner)"
            outputs:
              token: '{{ .steps.within.output.token }}'
            """
                .formatted(home));
    write(
        "vault/leak.yaml",
        head.formatted("leak")
            + """
              - name: begin
                type: shell
                config: {script: 'echo begun'}
                compensate:
                  - name: undo
                    type: shell
                    config: {script: 'echo "undoing $TOOL_KEY" {{ .parameters.alpha }} >&2; exit 9'}
              - name: fail
                type: shell
                retry: {attempts: 2, delay: 10ms, on: any}
                on_error: {action: rollback, rollback_steps: [{name: back, type: shell, config: {script: 'echo "back $TOOL_KEY"; exit 1'}}]}
                config:
                  script: |
                    echo "cannot use $TOOL_KEY with" {{ .parameters.alpha }} >&2
                    exit 3
            """);
    write(
        "vault/lost.yaml",
        head.formatted("lost")
            + """
              - name: render
                type: shell
                config: {script: 'echo hi', stdin: '{{ index .parameters.alpha "nothing" }} {{ .parameters.alpha.nothing }}'}
            """);
    write(
        "vault/askbox.yaml",
        head.formatted("askbox")
            + """
              - name: ask
                type: approval
                config: {message: 'use {{ .parameters.alpha }} and {{ .context.secrets.tool-key }}?'}
            """);
    write("vault/drop.yaml", head.formatted("drop") + "  - {name: gone, type: noop}\n");
    write(
        "vault/path.yaml",
        head.formatted("path")
            + """
              - name: speak
                type: shell
                config: {script: 'echo path {{ .parameters.alpha }} {{ .parameters.api_token }}; exit 5'}
            """);
  }

  /** Everything that a secret can go through. */
  private void live() {
    for (String type : List.of("box", "leak", "lost", "askbox")) {
      ask(
          running
              .asAdmin()
              .with("Idempotency-Key", "once-" + type)
              .yaml("/api/specs", score(type))
              .expect(201));
    }
    await("box", "active");
    await("leak", "failed");
    await("lost", "failed");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> list("/api/approvals").stream().anyMatch(a -> a.get("state").equals("pending")));
    String secret = plants.awkward("a golden path's secret parameter");
    ask(
        running
            .asAdmin()
            .post(
                "/api/golden-paths/path/execute",
                Json.write(
                    Map.of(
                        "parameters",
                        Map.of(
                            "alpha",
                            secret,
                            "api_token",
                            plants.plant("a golden path's parameter named token"))))));
    ask(
        running
            .asAdmin()
            .post(
                "/api/golden-paths/path/execute",
                Json.write(
                    Map.of(
                        "parameters", Map.of("pin", plants.plant("a secret of a wrong form"))))));
    ask(
        running
            .asAdmin()
            .yaml(
                "/api/validate",
                score("box")
                    .replace(
                        "alpha:", "pin: " + plants.plant("a wrong secret") + "\n      alpha:")));
    ask(
        running
            .asAdmin()
            .yaml("/api/specs", "metadata:\n  password: [" + plants.plant("a broken document")));
    ask(
        running
            .asAdmin()
            .post(
                "/api/environments",
                "{\"name\":\"keys\",\"variables\":{\"API_TOKEN\":\""
                    + plants.plant("a variable of an environment")
                    + "\"}}"));
    ask(
        running
            .asAdmin()
            .post(
                "/api/admin/users",
                "{\"name\":\"u\",\"password\":\"" + plants.plant("a user's password") + "\"}"));
    ask(
        running
            .asNobody()
            .post(
                "/api/login",
                "{\"username\":\"u\",\"password\":\"" + plants.plant("a wrong password") + "\"}"));
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                list("/api/workflows").stream()
                    .allMatch(
                        r -> Set.of("succeeded", "failed", "waiting").contains(r.get("status"))));
  }

  private String score(String type) {
    return """
    apiVersion: score.dev/v1b1
    metadata:
      name: %1$s
    containers:
      web:
        image: nginx
        variables:
          DB_PASSWORD: %2$s
          DATABASE: ${resources.it.url}
    resources:
      it:
        type: %1$s
        params:
          alpha: %3$s
          password: %4$s
          nested: {list: [{client_secret: %5$s}]}
    """
        .replace(
            "      DATABASE: ${resources.it.url}\n",
            type.equals("box") ? "      DATABASE: ${resources.it.url}\n" : "")
        .formatted(
            type,
            plants.plant("a container's variable of " + type),
            Json.write(plants.awkward("a secret parameter of " + type)),
            plants.plant("a param named password of " + type),
            plants.plant("a param deep down of " + type));
  }

  private void ask(Running.Reply reply) {
    answers.add(reply.request().uri() + " " + reply.status() + " " + reply.body());
  }

  private void await(String app, String state) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.asAdmin().get("/api/applications/" + app).expect(200).json())
                    .containsEntry("state", state));
  }

  private List<Map<?, ?>> list(String path) {
    List<Map<?, ?>> all = new ArrayList<>();
    Object data = running.asAdmin().get(path).expect(200).json().get("data");
    ((List<?>) data).forEach(one -> all.add((Map<?, ?>) one));
    return all;
  }

  // ---------------------------------------------------------------- the search

  @Test
  void no_column_of_the_database_holds_one() throws SQLException {
    assertThat(database()).isEmpty();
  }

  @Test
  void no_answer_of_the_api_shows_one() {
    List<String> found = new ArrayList<>();
    answers.forEach(a -> found.addAll(plants.in(a.substring(0, Math.min(90, a.length())), a)));
    int asked = 0;
    for (Route route : running.server.routes()) {
      for (String path : paths(route)) {
        asked++;
        found.addAll(plants.in("GET " + path, running.asAdmin().get(path).body()));
      }
    }
    assertThat(asked).isGreaterThan(60);
    assertThat(found).isEmpty();
  }

  @Test
  void no_event_contains_one() throws Exception {
    StringBuilder read = new StringBuilder();
    long newest;
    try (Connection c = connect();
        ResultSet rs = c.createStatement().executeQuery("SELECT max(id) FROM events")) {
      rs.next();
      newest = rs.getLong(1);
    }
    java.net.http.HttpRequest request =
        java.net.http.HttpRequest.newBuilder(
                java.net.URI.create(running.server.url() + "/api/events?after=0"))
            .header("Authorization", "Bearer " + running.adminToken)
            .build();
    try (var body =
        running
            .http
            .send(request, java.net.http.HttpResponse.BodyHandlers.ofInputStream())
            .body()) {
      byte[] piece = new byte[65536];
      while (!read.toString().contains("\nid: " + newest + "\n")) {
        int n = body.read(piece);
        read.append(new String(piece, 0, n, StandardCharsets.UTF_8));
      }
    }
    assertThat(read).contains("step.retrying", "approval.requested");
    assertThat(plants.in("the event stream", read.toString())).isEmpty();
  }

  @Test
  void the_log_of_the_server_has_none() {
    assertThat(log).contains("providers loaded");
    assertThat(plants.in("the log", log.toString())).isEmpty();
  }

  @Test
  void no_file_is_left_behind_with_one() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(running.data)) {
      files
          .filter(Files::isRegularFile)
          .forEach(file -> found.addAll(plants.in(file.toString(), text(file))));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void what_steps_print_is_there_but_for_the_secrets() {
    Map<?, ?> box = list("/api/resources?app=box").getFirst();
    assertThat(
            running
                .asAdmin()
                .get("/api/workflows/" + box.get("runId") + "/steps/speak/logs")
                .expect(200)
                .body())
        .contains("plain *** and *** ***", "OUTPUT_hidden=***", "postgres://me:***@host/db");
  }

  @Test
  void no_process_has_one_on_its_command_line() {
    assertThat(home.resolve("cmdline")).isNotEmptyFile();
    assertThat(plants.in("a command line", text(home.resolve("cmdline")))).isEmpty();
  }

  @Test
  void an_audited_reveal_is_the_only_way_out() {
    Map<?, ?> box = list("/api/resources?app=box").getFirst();
    String path = "/api/resources/" + box.get("id") + "/outputs";
    String shown = running.asAdmin().get(path).expect(200).body();
    assertThat(plants.in("outputs", shown)).isEmpty();
    assertThat(running.asAdmin().get(path + "?reveal=true").expect(200).body())
        .contains(plants.value("a step's output named password"))
        .contains(plants.value("a workflow's output declared secret"));
    assertThat(list("/api/audit").toString()).contains("reveal");
  }

  @Test
  void the_search_finds_what_is_there_to_be_found() throws SQLException {
    String value = plants.value("a user's password");
    String sly =
        java.util.Base64.getEncoder()
            .encodeToString(("me:" + value + "@x").getBytes(StandardCharsets.UTF_8));
    for (String shape : List.of(value, sly)) {
      sql("INSERT INTO teams (name, description, created_at) VALUES ('t', '" + shape + "', now())");
      try {
        assertThat(database()).hasSize(1).first().asString().startsWith("teams");
        assertThat(plants.in("x", running.asAdmin().get("/api/teams").body())).hasSize(1);
      } finally {
        sql("DELETE FROM teams WHERE name = 't'");
      }
    }
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        running.database.jdbcUrl(), running.database.user(), running.database.password());
  }

  private void sql(String statement) throws SQLException {
    try (Connection c = connect();
        Statement s = c.createStatement()) {
      s.execute(statement);
    }
  }

  /** Every value of every table, bytes as the text that they may be. */
  private List<String> database() throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection c = connect();
        Statement s = c.createStatement()) {
      Map<String, String> columns = new LinkedHashMap<>();
      try (ResultSet rs =
          s.executeQuery(
              "SELECT table_name, column_name, data_type FROM information_schema.columns"
                  + " WHERE table_schema NOT IN ('pg_catalog', 'information_schema')")) {
        while (rs.next()) {
          columns.put(rs.getString(1) + "." + rs.getString(2), rs.getString(3));
        }
      }
      assertThat(columns).hasSizeGreaterThan(100);
      for (var column : columns.entrySet()) {
        String[] name = column.getKey().split("\\.");
        String as =
            column.getValue().equals("bytea")
                ? "encode(\"" + name[1] + "\", 'escape')"
                : "\"" + name[1] + "\"::text";
        try (ResultSet rs = s.executeQuery("SELECT " + as + " FROM \"" + name[0] + "\"")) {
          StringBuilder all = new StringBuilder();
          while (rs.next()) {
            all.append(rs.getString(1)).append('\n');
          }
          found.addAll(plants.in(column.getKey(), all.toString()));
        }
      }
    }
    return found;
  }

  /** Every address of a route, with everything that there is in place of its parameters. */
  private List<String> paths(Route route) {
    if (route.method() != Route.Method.GET || route.traits().contains(Route.Trait.STREAM)) {
      return List.of();
    }
    List<String> paths = new ArrayList<>(List.of(route.path()));
    while (paths.getFirst().contains("{")) {
      List<String> filled = new ArrayList<>();
      for (String path : paths) {
        int from = path.indexOf('{');
        String parameter = path.substring(from + 1, path.indexOf('}'));
        for (String value : values(path.substring(0, from), parameter)) {
          filled.add(path.replace("{" + parameter + "}", value));
        }
      }
      paths = filled;
      if (paths.isEmpty()) {
        return paths;
      }
    }
    if (route.path().endsWith("/export")) {
      return paths.stream()
          .flatMap(p -> Stream.of("mermaid", "dot", "json", "svg").map(f -> p + "?format=" + f))
          .toList();
    }
    return paths;
  }

  private Set<String> values(String before, String parameter) {
    Set<String> values = new TreeSet<>();
    if (before.contains("/steps/")) {
      String run = before.substring(0, before.indexOf("/steps/"));
      ((List<?>) running.asAdmin().get(run).expect(200).json().get("steps"))
          .forEach(s -> values.add(((Map<?, ?>) s).get("name").toString().replace("/", "%2F")));
      return values;
    }
    String source = before.contains("/graph/") ? "/api/applications" : before.replaceAll("/$", "");
    if (source.equals("/api/plans") || source.equals("/api/deployments")) {
      String column = source.equals("/api/plans") ? "hash FROM plans" : "id FROM deployments";
      try (Connection c = connect();
          ResultSet rs = c.createStatement().executeQuery("SELECT " + column)) {
        while (rs.next()) {
          values.add(rs.getString(1));
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return values;
    }
    Running.Reply list = running.asAdmin().get(source.replace("/api/specs", "/api/applications"));
    if (list.status() == 200 && list.json().get("data") instanceof List<?> data) {
      for (Object one : data) {
        Map<?, ?> entry = (Map<?, ?>) one;
        Object value = parameter.equals("id") ? entry.get("id") : entry.get("name");
        values.add(String.valueOf(value == null ? entry.get("id") : value));
      }
    }
    return values;
  }
}
