package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the server is and who asks. For each setting the first source that has it wins: flag,
 * environment, project file {@code slipway.yaml}, user file, default.
 */
record ClientSettings(Map<String, Value> values) {
  static final String SERVER = "server";
  static final String TOKEN = "token";
  static final String ENVIRONMENT = "environment";

  /** A setting and where it came from. */
  record Value(String text, String origin) {}

  static ClientSettings resolve(Map<String, String> flags, Map<String, String> env, Path here) {
    Map<String, Value> found = new LinkedHashMap<>();
    Path user = userFile(env);
    for (String key : new String[] {SERVER, TOKEN, ENVIRONMENT}) {
      Optional.ofNullable(flags.get(key))
          .map(v -> new Value(v, "flag --" + key))
          .or(() -> environment(env, key))
          .or(() -> file(here.resolve("slipway.yaml"), key))
          .or(() -> file(user, key))
          .or(() -> fallback(env, key, found))
          .ifPresent(v -> found.put(key, v));
    }
    return new ClientSettings(found);
  }

  String server() {
    String server = values.get(SERVER).text();
    return server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
  }

  Optional<String> token() {
    return Optional.ofNullable(values.get(TOKEN)).map(Value::text);
  }

  Optional<String> environment() {
    return Optional.ofNullable(values.get(ENVIRONMENT)).map(Value::text);
  }

  private static Optional<Value> environment(Map<String, String> env, String key) {
    String name = "SLIPWAY_" + key.toUpperCase(java.util.Locale.ROOT);
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

  private static Optional<Value> fallback(
      Map<String, String> env, String key, Map<String, Value> found) {
    if (key.equals(SERVER)) {
      String listen = env.getOrDefault("SLIPWAY_LISTEN", "127.0.0.1:8081");
      String origin = env.containsKey("SLIPWAY_LISTEN") ? "environment SLIPWAY_LISTEN" : "default";
      return Optional.of(new Value("http://" + listen, origin));
    }
    if (key.equals(TOKEN) && local(found.get(SERVER).text())) {
      return adminToken(env);
    }
    return Optional.empty();
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
