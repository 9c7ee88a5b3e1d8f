package dev.slipway.server;

import dev.slipway.engine.execute.ClaimHealth;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.ReplicaName;
import dev.slipway.postgres.embedded.EmbeddedServer;
import dev.slipway.postgres.nodes.NodeSources;
import dev.slipway.web.Route;
import dev.slipway.web.branch.Branches;
import io.javalin.util.JavalinBindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. */
public final class SlipwayServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlipwayServer.class);
  private static final int CONNECTIONS = 20;
  private static final Duration FIRST_CLAIM = Duration.ofSeconds(10);

  /**
   * Database connections of changing calls; the rest is for readers, the engine and the reconcile
   * loop. Large specs keep as many processors busy, here and in the database.
   */
  static final int CONNECTIONS_OF_WRITERS =
      Math.clamp(2L * Runtime.getRuntime().availableProcessors(), 4, CONNECTIONS / 2);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Options options;
  private final Branches branches;
  private final Supervision supervision;
  private List<Route> routes = List.of();
  private EventNodes nodes = EventNodes.firstOf(List.of());
  private NodeSources sources = new NodeSources(List.of());
  private Optional<EmbeddedCluster> cluster = Optional.empty();
  private int port;
  private String replica = "";
  private boolean closed;

  /**
   * A server that is not started yet; it may be closed at any time. {@code onDeath} is called once
   * when a thread dies that it cannot work without.
   */
  SlipwayServer(Options options, Runnable onDeath) {
    this(options, BranchList.ALL, onDeath);
  }

  /** The same with other branches, for tests. */
  SlipwayServer(Options options, Branches branches, Runnable onDeath) {
    this.options = options;
    this.branches = branches;
    this.supervision = new Supervision(onDeath);
  }

  /**
   * Starts a server; returns when it is ready and can claim runs. Throws {@link StartFailure} if it
   * cannot start.
   */
  public static SlipwayServer start(Options options) {
    SlipwayServer server = new SlipwayServer(options, () -> {});
    server.start();
    return server;
  }

  /** Returns when the server is ready. Throws {@link StartFailure} if it cannot start. */
  void start() {
    try {
      open();
    } catch (RuntimeException e) {
      boolean stopped = closed();
      close();
      if (stopped) {
        throw StartFailure.surroundings("it was stopped while it started", e);
      }
      throw e instanceof DatabaseException
          ? StartFailure.surroundings(String.valueOf(e.getMessage()), e)
          : e;
    }
  }

  private void open() {
    Configuration.Read configuration = new Configuration(options.config(), branches).require();
    configuration.diagnostics().forEach(d -> LOG.warn("{}", d.text()));
    DataDirectory data = opened(DataDirectory.open(options.data()));
    replica = data.replica();
    Optional<Database.Address> embedded =
        options.database().isPresent() ? Optional.empty() : Optional.of(embedded(data.path()));
    Database.Address address =
        options.database().map(DatabaseUrl::address).or(() -> embedded).orElseThrow();
    Database database =
        opened(
            Database.open(
                address,
                CONNECTIONS,
                new Database.Schema(options.migrate(), branches.migrations())));
    // Replicas on an external database each have a data directory: databases of applications belong
    // on a server that all of them reach, which the configuration names.
    Optional<Workloads> workloads =
        embedded.map(
            _ -> opened(new Workloads(data.path(), Threads.supervised(supervision))).resume());
    cluster = cluster(data);
    opened(new ReplicaName(address, replica, Threads.supervised(supervision)));
    Wiring wiring =
        opened(
            new Wiring(
                new Wiring.Given(
                    options, branches, database, workloads, cluster, data, configuration),
                supervision));
    routes = wiring.routes;
    nodes = wiring.nodes;
    sources = wiring.sources;
    port = listen(wiring);
    tellWhetherReady(wiring.claims());
  }

  /** A server that cannot claim runs keeps running, because the cause may pass. */
  private void tellWhetherReady(ClaimHealth claims) {
    try {
      claims.awaitFirstTurn(FIRST_CLAIM);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    switch (claims.verdict()) {
      case ClaimHealth.Verdict.Works() -> LOG.info("ready at {}", url());
      case ClaimHealth.Verdict.Fails fails ->
          LOG.warn("listening at {}, not ready: {}", url(), fails.reason());
    }
  }

  private int listen(Wiring wiring) {
    try {
      return wiring.http.start(options.host(), options.port());
    } catch (JavalinBindException e) {
      throw StartFailure.surroundings(
          "cannot listen on "
              + options.host()
              + ":"
              + options.port()
              + ": it is in use or not allowed. Stop the other program, or choose another port with"
              + " --listen "
              + options.host()
              + ":PORT (0 is any free one).",
          e);
    }
  }

  private Database.Address embedded(Path data) {
    EmbeddedServer server =
        opened(EmbeddedServer.begin(data, OptionalInt.empty(), Threads.supervised(supervision)));
    server.awaitReady();
    return server.address();
  }

  private Optional<EmbeddedCluster> cluster(DataDirectory data) {
    return switch (options.cluster()) {
      case NONE -> {
        EmbeddedCluster.mention(data);
        yield Optional.empty();
      }
      case EMBEDDED ->
          Optional.of(opened(EmbeddedCluster.start(data, Threads.supervised(supervision))));
    };
  }

  private <T extends AutoCloseable> T opened(T part) {
    synchronized (parts) {
      parts.push(part);
      if (!closed) {
        return part;
      }
    }
    throw new IllegalStateException("it was stopped while it started");
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** The name of this replica. */
  public String replica() {
    return replica;
  }

  /** The URL for clients. */
  public String url() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return "http://" + host + ":" + port;
  }

  /** The file with the first administrator's token. */
  public Path adminTokenFile() {
    return options.data().resolve("admin-token");
  }

  /** How to use what it started beside itself, for people. */
  List<String> hints() {
    return cluster.map(EmbeddedCluster::hints).orElse(List.of());
  }

  /** Watches the threads that this server cannot work without. */
  Supervision supervision() {
    return supervision;
  }

  /** The routes of its API. */
  public List<Route> routes() {
    return routes;
  }

  /** The sources of the nodes of all kinds. */
  NodeSources sources() {
    return sources;
  }

  /** Which nodes its events are about. */
  EventNodes nodes() {
    return nodes;
  }

  /** Stops: active calls finish, runs are released to be claimed again. */
  @Override
  public void close() {
    supervision.stopping();
    for (AutoCloseable part = next(); part != null; part = next()) {
      try {
        part.close();
      } catch (Throwable t) {
        LOG.warn("while stopping: {}", t.toString());
      }
    }
  }

  /** The next part to close; after this no part is opened any more. */
  private @Nullable AutoCloseable next() {
    synchronized (parts) {
      closed = true;
      return parts.poll();
    }
  }

  private boolean closed() {
    synchronized (parts) {
      return closed;
    }
  }
}
