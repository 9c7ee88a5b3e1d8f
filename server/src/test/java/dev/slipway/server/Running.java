package dev.slipway.server;

import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.StoredEvent;
import dev.slipway.server.api.EventView;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import dev.slipway.web.branch.Branches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A real server on a real PostgreSQL, and a client for it. */
final class Running implements AutoCloseable {
  final TestDatabase database;
  final Path data;
  final SlipwayServer server;
  final HttpClient http = HttpClient.newHttpClient();
  final String adminToken;
  private final Contract contract;
  private final Path providers;
  private boolean fresh;

  /** The sources of events that are not from tests. */
  private static final Set<String> PARTS =
      Set.of("engine", "applications", "environments", "observer", "registry", "approvals");

  Running() {
    this(Optional.empty());
  }

  Running(Optional<Path> config) {
    this(TestPostgres.copyOf(Migrated.TEMPLATE), temporary(), config);
    fresh = true;
  }

  /** On a database and a data directory that others may know. */
  Running(TestDatabase database, Path data, Optional<Path> config) {
    this(database, data, config, Path.of("..", "providers"));
  }

  /** With other bundled providers than those of this version. */
  Running(TestDatabase database, Path data, Optional<Path> config, Path providers) {
    this(new Place(database, data, providers), config, BranchList.ALL);
  }

  /** Where a server keeps its state, and its bundled providers. */
  record Place(TestDatabase database, Path data, Path providers) {
    static Place fresh() {
      return new Place(TestPostgres.freshDatabase(), temporary(), Path.of("..", "providers"));
    }
  }

  /** With other branches than those of this version. */
  Running(Place place, Optional<Path> config, Branches branches) {
    this.providers = place.providers().toAbsolutePath().normalize();
    try {
      this.data = place.data();
      this.database = place.database();
      this.server = new SlipwayServer(options(config), branches, () -> {});
      server.start();
      this.adminToken = Files.readString(server.adminTokenFile()).strip();
      this.contract = contract();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A database with all tables, made once in this JVM: a server that finds it has none to make. */
  private static final class Migrated {
    static final TestDatabase TEMPLATE = migrated();

    private static TestDatabase migrated() {
      TestDatabase database = TestPostgres.freshDatabase();
      Database.Address address =
          new Database.Address(database.jdbcUrl(), database.user(), database.password());
      Database.Schema schema =
          new Database.Schema(Database.Migrate.AUTO, BranchList.ALL.migrations());
      Database.open(address, 2, schema).close();
      return database;
    }
  }

  /** With the PostgreSQL that a server starts in its data directory. */
  static Running embedded(Path data, Optional<Path> config) {
    return new Running(new TestDatabase("", "", ""), data, config);
  }

  static Path temporary() {
    try {
      return Files.createTempDirectory("slipway-test");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Options options(Optional<Path> config) {
    return new Options(
        config,
        data,
        "127.0.0.1",
        0,
        database.jdbcUrl().isEmpty() ? Optional.empty() : Optional.of(url(database)),
        Optional.of(providers),
        Database.Migrate.AUTO,
        Options.Cluster.NONE,
        Optional.empty());
  }

  static DatabaseUrl url(TestDatabase database) {
    return new DatabaseUrl(
        new Database.Address(database.jdbcUrl(), database.user(), database.password()));
  }

  private Contract contract() throws IOException {
    URI uri = URI.create(server.url() + "/openapi.json");
    try {
      String document =
          http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
      return new Contract(Json.readMap(document), server.routes());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A request of the caller with that token. */
  Ask as(String token) {
    return new Ask(this, HttpRequest.newBuilder().header("Authorization", "Bearer " + token));
  }

  Ask asAdmin() {
    return as(adminToken);
  }

  Ask asNobody() {
    return new Ask(this, HttpRequest.newBuilder());
  }

  /** A new account with these roles, as pairs of team and role; answers its token. */
  String member(String name, String... teamsAndRoles) {
    StringBuilder roles = new StringBuilder();
    for (int i = 0; i < teamsAndRoles.length; i += 2) {
      roles
          .append(i == 0 ? "" : ",")
          .append(
              "{\"team\":\"%s\",\"role\":\"%s\"}"
                  .formatted(teamsAndRoles[i], teamsAndRoles[i + 1]));
    }
    asAdmin()
        .post("/api/admin/users", "{\"name\":\"%s\",\"roles\":[%s]}".formatted(name, roles))
        .expect(201);
    return (String)
        asAdmin()
            .post("/api/admin/users/" + name + "/api-keys", "{\"name\":\"test\"}")
            .expect(201)
            .json()
            .get("token");
  }

  /** Gives an account a password and signs it in; answers the reply. */
  Reply signIn(String name, String password) {
    asAdmin()
        .patch("/api/admin/users/" + name, "{\"password\":\"%s\"}".formatted(password))
        .expect(200);
    return asNobody()
        .post("/api/login", "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(name, password))
        .expect(200);
  }

  /** Every answer of every test is held to the published contract. */
  private void hold(Reply reply) {
    boolean byTheListener = reply.status() == 431;
    if (reply.request().method().equals("HEAD") || reply.status() == 304 || byTheListener) {
      return;
    }
    List<String> violations =
        contract.violations(
            reply.request().method(),
            reply.request().uri().getRawPath(),
            reply.status(),
            reply.header("Content-Type"),
            reply.body());
    if (!violations.isEmpty()) {
      throw new AssertionError(
          reply.request().method()
              + " "
              + reply.request().uri()
              + " is not as documented: "
              + violations
              + "\n"
              + reply.body());
    }
  }

  /** All events, except for those that tests wrote themselves. */
  List<StoredEvent> events() {
    try (Database near = Database.open(url(database).address(), 1)) {
      return new EventLog(near.jdbi())
          .after(0, EventLog.Filter.ALL, Integer.MAX_VALUE).stream()
              .filter(event -> PARTS.contains(event.event().source()))
              .toList();
    }
  }

  /** As readers get it. */
  String view(StoredEvent event) {
    return new EventView(server.nodes()).json(event);
  }

  /** Every event of every test on a database of its own is held to the published contract. */
  void holdEvents() {
    for (StoredEvent event : events()) {
      String data = view(event);
      List<String> violations = contract.violations(event.event().type(), data);
      if (!violations.isEmpty()) {
        throw new AssertionError("an event is not as documented: " + violations + "\n" + data);
      }
    }
  }

  @Override
  public void close() {
    server.close();
    http.close();
    if (fresh) {
      holdEvents();
    }
  }

  /** A request being put together. */
  record Ask(Running running, HttpRequest.Builder request) {
    Ask with(String header, String value) {
      return new Ask(running, request.copy().header(header, value));
    }

    Reply get(String path) {
      return send("GET", path, null);
    }

    Reply delete(String path) {
      return send("DELETE", path, null);
    }

    Reply post(String path, String json) {
      return with("Content-Type", "application/json").send("POST", path, json);
    }

    Reply patch(String path, String json) {
      return with("Content-Type", "application/json").send("PATCH", path, json);
    }

    Reply yaml(String path, String yaml) {
      return with("Content-Type", "application/yaml").send("POST", path, yaml);
    }

    Reply send(String method, String path, String body) {
      HttpRequest sent =
          request
              .copy()
              .uri(URI.create(running.server.url() + path))
              .method(
                  method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
              .build();
      try {
        Reply reply = new Reply(sent, running.http.send(sent, BodyHandlers.ofString()));
        running.hold(reply);
        return reply;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** What came back. */
  record Reply(HttpRequest request, HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    Map<String, Object> json() {
      return Json.readMap(body());
    }

    Reply expect(int status) {
      if (status() != status) {
        throw new AssertionError(
            request.method() + " " + request.uri() + " gave " + status() + ": " + body());
      }
      return this;
    }
  }
}
