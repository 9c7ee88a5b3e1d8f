package dev.slipway.server;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.embedded.EmbeddedServer;
import dev.slipway.server.http.Route;
import io.javalin.util.JavalinBindException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. */
public final class SlipwayServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlipwayServer.class);
  private static final int CONNECTIONS = 20;

  /**
   * The others are for readers, for the engine and for whoever moves applications on. Large specs
   * keep as many processors busy, here and in the database.
   */
  static final int CONNECTIONS_OF_WRITERS =
      Math.clamp(2L * Runtime.getRuntime().availableProcessors(), 4, CONNECTIONS / 2);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Options options;
  private List<Route> routes = List.of();
  private int port;
  private String replica = "";

  private SlipwayServer(Options options) {
    this.options = options;
  }

  /** Starts a server; it is ready when this returns. Throws {@link StartFailure} if it cannot. */
  public static SlipwayServer start(Options options) {
    SlipwayServer server = new SlipwayServer(options);
    try {
      server.start();
      return server;
    } catch (DatabaseException e) {
      server.close();
      throw StartFailure.surroundings(e.getMessage(), e);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void start() {
    Configuration.Read configuration = new Configuration(options.config()).require();
    configuration.diagnostics().forEach(d -> LOG.warn("{}", d.text()));
    DataDirectory data = opened(DataDirectory.open(options.data()));
    replica = data.replica();
    Optional<Database.Address> embedded =
        options.database().isPresent()
            ? Optional.empty()
            : Optional.of(opened(EmbeddedServer.start(data.path(), OptionalInt.empty())).address());
    Database.Address address =
        options.database().map(DatabaseUrl::address).or(() -> embedded).orElseThrow();
    Database database = opened(Database.open(address, CONNECTIONS));
    Wiring wiring = opened(new Wiring(options, database, embedded, data, configuration));
    routes = wiring.routes;
    port = listen(wiring);
    LOG.info("ready at {}", url());
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

  private <T extends AutoCloseable> T opened(T part) {
    parts.push(part);
    return part;
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** The name under which its work is known. */
  public String replica() {
    return replica;
  }

  /** Where clients find it. */
  public String url() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return "http://" + host + ":" + port;
  }

  /** The file with the first administrator's token. */
  public Path adminTokenFile() {
    return options.data().resolve("admin-token");
  }

  /** Everything it answers to. */
  public List<Route> routes() {
    return routes;
  }

  /** Stops: calls under way are finished, runs are left to be taken up again. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        LOG.warn("while stopping: {}", e.getMessage());
      }
    }
  }
}
