package dev.slipway.server;

import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.access.Credentials;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.access.Teams;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.server.access.Authentication;
import dev.slipway.server.access.Passwords;
import dev.slipway.server.access.Tokens;
import dev.slipway.server.api.ApiKeyApi;
import dev.slipway.server.api.AuditApi;
import dev.slipway.server.api.EventApi;
import dev.slipway.server.api.SignInApi;
import dev.slipway.server.api.SystemApi;
import dev.slipway.server.api.TeamApi;
import dev.slipway.server.api.UserApi;
import dev.slipway.server.http.HttpServer;
import dev.slipway.server.http.OpenApi;
import dev.slipway.server.http.Route;
import dev.slipway.server.telemetry.Health;
import dev.slipway.server.telemetry.Metrics;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All parts of a running server, put together by constructor calls, in the order of the flow. */
final class Wiring implements AutoCloseable {
  final List<Route> routes;
  final HttpServer http;
  private final Notifications notifications;
  private final EventApi events;

  Wiring(Database database, DataDirectory data, Configuration.Read configuration) {
    InstantSource clock = InstantSource.system();
    SecureRandom random = new SecureRandom();
    Ids ids = new Ids(clock, random);
    SecretBox box = new SecretBox(data.secretKey());
    Metrics metrics = new Metrics(Version.TEXT, System.getProperty("java.version"));

    // resolve
    LiveRegistry registry =
        new LiveRegistry(
            new ProviderLoader((document, diagnostics) -> Optional.empty()),
            configuration.config().providers());
    registry.onSwap((before, now) -> metrics.loaded(now));
    registry.reload();

    // observe
    this.notifications = new Notifications(database);
    EventLog eventLog = new EventLog(database.jdbi());
    Health health =
        new Health(
            () -> database.jdbi().useHandle(h -> h.execute("SELECT 1")),
            () -> true,
            registry::current);

    // access
    Accounts accounts = new Accounts(database.jdbi());
    Teams teams = new Teams(database.jdbi());
    Credentials credentials = new Credentials(database.jdbi());
    AuditLog audit = new AuditLog(database.jdbi());
    Passwords passwords = new Passwords(random);
    Tokens tokens = new Tokens(random);
    new AdminAccount(accounts, teams, credentials, ids)
        .ensure(data.adminToken(tokens), data.replica(), clock.instant());

    // HTTP
    this.events = new EventApi(eventLog, notifications);
    List<Route> all = new ArrayList<>();
    all.addAll(
        new SystemApi(health, metrics, () -> {}, () -> OpenApi.document(all, Version.TEXT))
            .routes());
    all.addAll(new SignInApi(accounts, credentials, passwords, tokens, ids, clock).routes());
    all.addAll(new ApiKeyApi(accounts, credentials, tokens, ids, clock).routes());
    all.addAll(new UserApi(accounts, passwords, clock).routes());
    all.addAll(new TeamApi(teams, clock).routes());
    all.addAll(new AuditApi(audit).routes());
    all.addAll(events.routes());
    this.routes = List.copyOf(all);
    this.http =
        new HttpServer(
            routes,
            new HttpServer.Parts(
                new Authentication(credentials, clock),
                new RepeatedRequests(database.jdbi()),
                box,
                audit,
                clock,
                metrics));
  }

  /** Stops in the opposite order: no new requests, then no more work, then no more state. */
  @Override
  public void close() {
    events.close();
    http.close();
    notifications.close();
  }
}
