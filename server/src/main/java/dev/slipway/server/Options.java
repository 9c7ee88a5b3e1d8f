package dev.slipway.server;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.postgres.Database;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How to start: a flag overrides the environment, which overrides the default.
 *
 * @param config the administrator's configuration
 * @param data the directory for everything that must survive the process
 * @param database an external PostgreSQL; without one the server runs its own
 * @param bundled the directory of the providers that come with Slipway
 * @param migrate who migrates the schema
 * @param cluster the Kubernetes cluster that the server starts beside itself
 * @param recorded replies for steps that are not executed: for tests of providers only
 */
public record Options(
    Optional<Path> config,
    Path data,
    String host,
    int port,
    Optional<DatabaseUrl> database,
    Optional<Path> bundled,
    Database.Migrate migrate,
    Cluster cluster,
    Optional<Path> recorded) {
  /** Whether the server starts a Kubernetes cluster. */
  public enum Cluster {
    NONE,
    EMBEDDED
  }

  /** Loopback, because every client that can reach the server can try tokens. */
  public static final String DEFAULT_LISTEN = "127.0.0.1:8081";

  private static final Map<String, String> FLAGS =
      Map.of(
          "--config", "SLIPWAY_CONFIG",
          "--data", "SLIPWAY_DATA",
          "--listen", "SLIPWAY_LISTEN",
          "--database", "SLIPWAY_DATABASE",
          "--cluster", "SLIPWAY_CLUSTER",
          "--migrate", "SLIPWAY_MIGRATE");

  private static final Map<String, Database.Migrate> MIGRATE =
      Map.of("auto", Database.Migrate.AUTO, "never", Database.Migrate.NEVER);

  /** Not in the help and without an environment variable, so that no server has it by accident. */
  private static final String RECORDED = "--recorded";

  /** Printed for --help and after a usage error. */
  public static final String USAGE =
      """
      usage: slipway up [--config FILE] [--data DIR] [--listen HOST:PORT] [--database JDBC-URL]
                        [--cluster embedded] [--migrate auto|never]

        --config FILE        the administrator's configuration (SLIPWAY_CONFIG)
        --data DIR           where state is kept (SLIPWAY_DATA; default ~/.local/share/slipway)
        --listen HOST:PORT   where to listen (SLIPWAY_LISTEN; default 127.0.0.1:8081; port 0 is any)
        --database JDBC-URL  an external PostgreSQL (SLIPWAY_DATABASE); without it the server
                             runs one of its own in the data directory
        --cluster embedded   starts a Kubernetes control plane of its own, with its data in the data
                             directory (SLIPWAY_CLUSTER); its pods are simulated
        --migrate WHO        auto: the server brings the schema up to date when it starts (default);
                             never: it refuses a schema that is behind, for 'slipway migrate'
                             (SLIPWAY_MIGRATE)
      """;

  /** Parses the command line and the environment. */
  public static Options parse(List<String> arguments, UnaryOperator<@Nullable String> environment) {
    Map<String, String> given = flags(arguments);
    FLAGS.forEach(
        (flag, variable) -> {
          String value = environment.apply(variable);
          if (value != null && !value.isBlank()) {
            given.putIfAbsent(flag, value);
          }
        });
    String listen = given.getOrDefault("--listen", DEFAULT_LISTEN);
    Optional<Path> recorded = Optional.ofNullable(given.get(RECORDED)).map(Path::of);
    if (recorded.isPresent()
        && (given.containsKey("--database") || !host(listen).startsWith("127."))) {
      throw StartFailure.usage(
          RECORDED
              + " answers steps without executing them and is for 'slipway provider test' alone:"
              + " only on the loopback interface, only with a database of its own.");
    }
    return new Options(
        Optional.ofNullable(given.get("--config")).map(Path::of),
        Optional.ofNullable(given.get("--data"))
            .map(Path::of)
            .orElseGet(() -> usualData(environment))
            .toAbsolutePath(),
        host(listen),
        port(listen),
        Optional.ofNullable(given.get("--database"))
            .map(url -> DatabaseUrl.parse(url, environment)),
        recorded.isPresent()
            ? Optional.empty()
            : Optional.ofNullable(System.getProperty("slipway.home"))
                .map(home -> Path.of(home, "providers")),
        migrate(given.getOrDefault("--migrate", "auto")),
        cluster(given),
        recorded);
  }

  /** A warning about values on the command line, which every user of the machine can read. */
  static Optional<String> warning(List<String> arguments) {
    return Optional.ofNullable(flags(arguments).get("--database"))
        .filter(url -> !DatabaseUrl.parse(url, name -> null).address().password().isEmpty())
        .map(
            url ->
                "the password in --database can be read by every user of this machine. Put it into"
                    + " SLIPWAY_DATABASE_PASSWORD, and change it.");
  }

  private static Map<String, String> flags(List<String> arguments) {
    Map<String, String> given = new LinkedHashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String flag = arguments.get(i);
      String value = null;
      int equals = flag.indexOf('=');
      if (equals > 0) {
        value = flag.substring(equals + 1);
        flag = flag.substring(0, equals);
      }
      if (!FLAGS.containsKey(flag) && !flag.equals(RECORDED)) {
        String hint = Nearest.hint(flag, FLAGS.keySet());
        throw StartFailure.usage(
            "unknown option '" + flag + "'." + (hint == null ? "" : " " + hint) + "\n\n" + USAGE);
      }
      if (value == null) {
        if (i + 1 == arguments.size()) {
          throw StartFailure.usage("option '" + flag + "' needs a value.\n\n" + USAGE);
        }
        value = arguments.get(++i);
      }
      given.put(flag, value);
    }
    return given;
  }

  private static Database.Migrate migrate(String text) {
    Database.Migrate migrate = MIGRATE.get(text);
    if (migrate == null) {
      throw StartFailure.usage("--migrate takes auto or never, not '" + text + "'.");
    }
    return migrate;
  }

  private static Cluster cluster(Map<String, String> given) {
    String text = given.get("--cluster");
    if (text == null) {
      return Cluster.NONE;
    }
    if (!text.equals("embedded")) {
      throw StartFailure.usage(
          "--cluster takes embedded, not '"
              + text
              + "'. Other clusters are named in the configuration, in section 'clusters'.");
    }
    if (given.containsKey("--database")) {
      throw StartFailure.usage(
          "--cluster embedded needs the server's own database: replicas on an external one would"
              + " each have another cluster of that name. Leave out --database, or name a cluster"
              + " in the configuration.");
    }
    return Cluster.EMBEDDED;
  }

  private static Path usualData(UnaryOperator<@Nullable String> environment) {
    String shared = environment.apply("XDG_DATA_HOME");
    return shared != null && !shared.isBlank()
        ? Path.of(shared, "slipway")
        : Path.of(System.getProperty("user.home"), ".local", "share", "slipway");
  }

  private static String host(String listen) {
    int colon = listen.lastIndexOf(':');
    String host = colon < 0 ? listen : listen.substring(0, colon);
    String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    return plain.isEmpty() ? "127.0.0.1" : plain;
  }

  private static int port(String listen) {
    int colon = listen.lastIndexOf(':');
    try {
      int port = colon < 0 ? -1 : Integer.parseInt(listen.substring(colon + 1));
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw StartFailure.usage(
        "--listen takes HOST:PORT such as " + DEFAULT_LISTEN + ", not '" + listen + "'.");
  }
}
