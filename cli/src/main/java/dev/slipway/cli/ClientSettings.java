package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the server is and who asks. For each setting the first source that has it wins: flag,
 * environment, user file, default. The project file {@code slipway.yaml} names an environment of
 * the project and nothing else.
 */
record ClientSettings(Map<String, Value> values) {
  static final String SERVER = "server";
  static final String TOKEN = "token";
  static final String ENVIRONMENT = "environment";

  /** A setting and where it came from. */
  record Value(String text, String origin) {}

  static ClientSettings resolve(Map<String, String> flags, Map<String, String> env, Path here) {
    Path user = userFile(env);
    Value server =
        given(flags, env, SERVER).or(() -> file(user, SERVER)).orElseGet(() -> standard(env));
    Map<String, Value> found = new LinkedHashMap<>();
    found.put(SERVER, server);
    given(flags, env, TOKEN)
        .or(() -> file(user, TOKEN))
        .filter(v -> isFor(v, env, server.text()))
        .or(() -> local(server.text()) ? adminToken(env) : Optional.empty())
        .ifPresent(v -> found.put(TOKEN, v));
    given(flags, env, ENVIRONMENT)
        .or(() -> file(project(here), ENVIRONMENT))
        .or(() -> file(user, ENVIRONMENT))
        .ifPresent(v -> found.put(ENVIRONMENT, v));
    return new ClientSettings(found);
  }

  private static Optional<Value> given(
      Map<String, String> flags, Map<String, String> env, String key) {
    return Optional.ofNullable(flags.get(key))
        .map(v -> new Value(v, "flag --" + key))
        .or(() -> environment(env, key));
  }

  private static Path project(Path here) {
    return here.resolve("slipway.yaml");
  }

  /**
   * What the project's file says although it is not read from there: a project from another place
   * must not choose where this user's token and documents are sent.
   */
  static List<String> ignored(Path here) {
    return Stream.of(SERVER, TOKEN)
        .filter(key -> file(project(here), key).isPresent())
        .map(
            key ->
                "'"
                    + key
                    + "' in "
                    + project(here)
                    + " is not used: it is read from options, the environment and the file that"
                    + " 'slipway login' writes")
        .toList();
  }

  /**
   * Whether a token is for this server. One that was stored or set together with a server was made
   * by that server, and is sent to no other.
   */
  private static boolean isFor(Value token, Map<String, String> env, String server) {
    if (token.origin().startsWith("flag ")) {
      return true;
    }
    if (token.origin().startsWith("environment ")) {
      return environment(env, SERVER).map(made -> same(made.text(), server)).orElse(true);
    }
    String made = file(userFile(env), SERVER).map(Value::text).orElse(standard(env).text());
    return same(made, server);
  }

  private static boolean same(String one, String other) {
    return plain(one).equals(plain(other));
  }

  private static String plain(String server) {
    String lower = server.strip().toLowerCase(Locale.ROOT);
    return lower.endsWith("/") ? lower.substring(0, lower.length() - 1) : lower;
  }

  String server() {
    String server = Objects.requireNonNull(values.get(SERVER), "settings name a server").text();
    return server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
  }

  Optional<String> token() {
    return Optional.ofNullable(values.get(TOKEN)).map(Value::text);
  }

  Optional<String> environment() {
    return Optional.ofNullable(values.get(ENVIRONMENT)).map(Value::text);
  }

  private static Optional<Value> environment(Map<String, String> env, String key) {
    String name = "SLIPWAY_" + key.toUpperCase(Locale.ROOT);
    return Optional.ofNullable(env.get(name))
        .filter(v -> !v.isBlank())
        .map(v -> new Value(v.strip(), "environment " + name));
  }

  private static Optional<Value> file(Path file, String key) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    Diagnostics diagnostics = new Diagnostics();
    try {
      Optional<Section> root =
          Document.parse(file.toString(), Files.readAllBytes(file), Limits.DEFAULT, diagnostics)
              .map(d -> d.section(diagnostics));
      Optional<String> value = root.flatMap(r -> r.string(key));
      if (diagnostics.hasErrors()) {
        throw new Failure(ExitCode.USAGE, diagnostics.errors().getFirst().text());
      }
      return value.map(v -> new Value(v, file.toString()));
    } catch (IOException e) {
      throw new Failure(ExitCode.USAGE, "cannot read " + file + ": " + e.getMessage());
    }
  }

  /** The server when none is named. */
  private static Value standard(Map<String, String> env) {
    String listen = env.getOrDefault("SLIPWAY_LISTEN", "127.0.0.1:8081");
    String origin = env.containsKey("SLIPWAY_LISTEN") ? "environment SLIPWAY_LISTEN" : "default";
    return new Value("http://" + listen, origin);
  }

  /** The token of a server on this machine is offered to that server only. */
  private static boolean local(String server) {
    return server.matches("https?://(127\\.\\d+\\.\\d+\\.\\d+|localhost|\\[::1])(:\\d+)?/?");
  }

  private static Optional<Value> adminToken(Map<String, String> env) {
    Path file = dataDirectory(env).resolve("admin-token");
    try {
      return Files.isReadable(file)
          ? Optional.of(new Value(Files.readString(file).strip(), file.toString()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static Path dataDirectory(Map<String, String> env) {
    if (env.get("SLIPWAY_DATA") != null) {
      return Path.of(env.get("SLIPWAY_DATA"));
    }
    String base = env.get("XDG_DATA_HOME");
    return (base == null || base.isBlank() ? home(env).resolve(".local/share") : Path.of(base))
        .resolve("slipway");
  }

  static Path userFile(Map<String, String> env) {
    String base = env.get("XDG_CONFIG_HOME");
    return (base == null || base.isBlank() ? home(env).resolve(".config") : Path.of(base))
        .resolve("slipway/config.yaml");
  }

  private static Path home(Map<String, String> env) {
    return Path.of(env.getOrDefault("HOME", System.getProperty("user.home")));
  }
}
