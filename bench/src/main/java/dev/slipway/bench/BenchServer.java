package dev.slipway.bench;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server process of the installed layout, with a provider that does nothing and one that sleeps.
 */
final class BenchServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Pattern USED_HEAP =
      Pattern.compile("(?:DefNew|Tenured) +total.* used (\\d+)K");

  private final Path layout;
  private final Path directory;
  private final int port;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private @Nullable Process process;
  private String token = "";

  BenchServer(Path layout, Path directory) throws IOException {
    this.layout = layout;
    this.directory = directory;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = socket.getLocalPort();
    }
    provider();
  }

  private void provider() throws IOException {
    Path provider = Files.createDirectories(directory.resolve("provider"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: bench, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: nothing, operations: {create: {workflow: nothing}, delete: {workflow: nothing}}}
            - {type: long, operations: {create: {workflow: long}, delete: {workflow: nothing}}}
            - {type: slow, operations: {create: {workflow: slow}, delete: {workflow: nothing}}}
        workflows:
          - {name: nothing, file: nothing.yaml}
          - {name: long, file: long.yaml}
          - {name: slow, file: slow.yaml}
        """);
    String head =
        "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: x}\nsteps:\n";
    Files.writeString(
        provider.resolve("nothing.yaml"),
        head + "  - {name: one, type: noop}\n  - {name: two, type: noop}\n");
    Files.writeString(
        provider.resolve("long.yaml"),
        head + "  - {name: sleep, type: shell, config: {script: 'sleep 900'}}\n");
    Files.writeString(
        provider.resolve("slow.yaml"),
        head + "  - {name: sleep, type: shell, config: {script: 'sleep 60'}}\n");
    configure("");
  }

  /** Writes the configuration, with more than the provider in it. */
  void configure(String more) throws IOException {
    Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers:\n  - {source: filesystem, path: ./provider}\n" + more);
  }

  /** Makes the running server read its configuration again. */
  void reload() throws Exception {
    post("/api/admin/reload", "application/json", "");
  }

  /** Starts it; how long until it was ready. */
  Duration start() throws Exception {
    Instant began = Instant.now();
    ProcessBuilder builder =
        new ProcessBuilder(
                layout.resolve("bin/slipway").toString(),
                "up",
                "--data",
                directory.resolve("data").toString(),
                "--config",
                directory.resolve("admin-config.yaml").toString(),
                "--listen",
                "127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("server.log").toFile()))
            .redirectInput(new File("/dev/null"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process started = builder.start();
    process = started;
    Instant until = began.plus(PATIENCE);
    while (!ready()) {
      if (!started.isAlive() || Instant.now().isAfter(until)) {
        throw new IllegalStateException(
            "the server did not start: " + Files.readString(directory.resolve("server.log")));
      }
      Thread.sleep(10);
    }
    Duration took = Duration.between(began, Instant.now());
    token = Files.readString(directory.resolve("data/admin-token")).strip();
    return took;
  }

  private boolean ready() throws InterruptedException {
    try {
      return client
              .send(HttpRequest.newBuilder(uri("/ready")).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  void stop() throws InterruptedException {
    stop(started());
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  private Process started() {
    return Objects.requireNonNull(process, "start the server first");
  }

  long residentKilobytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + started().pid() + "/status")).stream()
        .filter(l -> l.startsWith("VmRSS:"))
        .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  /** What of the heap is in use, rubbish included. */
  long heapKilobytes() throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/jcmd",
                Long.toString(started().pid()),
                "GC.heap_info")
            .redirectErrorStream(true)
            .start();
    String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jcmd.waitFor();
    return USED_HEAP.matcher(text).results().mapToLong(used -> Long.parseLong(used.group(1))).sum();
  }

  /** Runs a command to its end; how long it took. */
  Duration command(List<String> command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectInput(new File("/dev/null"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SLIPWAY_SERVER", "http://127.0.0.1:" + port);
    builder.environment().put("SLIPWAY_TOKEN", token);
    Instant began = Instant.now();
    int code = builder.start().waitFor();
    Duration took = Duration.between(began, Instant.now());
    if (code != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed with " + code);
    }
    return took;
  }

  Map<String, Object> post(String path, String type, String body) throws Exception {
    HttpResponse<String> response = send(path, type, body);
    if (response.statusCode() / 100 != 2) {
      throw new IllegalStateException(path + ": " + response.statusCode() + " " + response.body());
    }
    return Json.readMap(response.body());
  }

  /** The same, whatever the answer is. */
  HttpResponse<String> send(String path, String type, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  Map<String, Object> get(String path) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + token).build(),
            BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalStateException(path + ": " + response.statusCode() + " " + response.body());
    }
    return Json.readMap(response.body());
  }

  void deploy(String name, String type, int resources) throws Exception {
    post("/api/applications", "application/yaml", score(name, type, resources));
  }

  /** A spec with that many resources. */
  static String score(String name, String type, int resources) {
    StringBuilder score =
        new StringBuilder(
            "apiVersion: score.dev/v1b1\nmetadata: {name: " + name + "}\nresources:\n");
    for (int i = 0; i < resources; i++) {
      score.append("  r-").append(i).append(": {type: ").append(type).append("}\n");
    }
    return score.toString();
  }

  /** Waits until so many applications whose names begin like this are active. */
  void awaitActive(String prefix, int count) throws Exception {
    Instant until = Instant.now().plus(PATIENCE);
    while (active(prefix) < count) {
      if (Instant.now().isAfter(until)) {
        throw new IllegalStateException(
            "only " + active(prefix) + " of " + count + " are active: " + prefix);
      }
      Thread.sleep(count == 1 ? 5 : 50);
    }
  }

  /** How many applications whose names begin like this are active. */
  long active(String prefix) throws Exception {
    if (!prefix.endsWith("-")) {
      return "active".equals(get("/api/applications/" + prefix).get("state")) ? 1 : 0;
    }
    long found = 0;
    String next = "";
    do {
      Map<String, Object> page = get("/api/applications?limit=100&state=active" + next);
      found +=
          items(page, "data").stream()
              .filter(a -> String.valueOf(a.get("name")).startsWith(prefix))
              .count();
      next = page.get("continue") == null ? "" : "&continue=" + page.get("continue");
    } while (!next.isEmpty());
    return found;
  }

  /**
   * From the moment the spec was accepted to the moment its first step began, by the server's
   * clock.
   */
  Duration startDelay(String name) throws Exception {
    Instant accepted =
        Instant.parse(String.valueOf(get("/api/applications/" + name).get("createdAt")));
    Map<String, Object> run = items(get("/api/workflows?application=" + name), "data").getFirst();
    Map<String, Object> full = get("/api/workflows/" + run.get("id"));
    Instant started =
        Instant.parse(String.valueOf(items(full, "steps").getFirst().get("startedAt")));
    return Duration.between(accepted, started);
  }

  /** The objects of a list in an answer. */
  static List<Map<String, Object>> items(Map<String, Object> answer, String field) {
    if (!(answer.get(field) instanceof List<?> list)) {
      throw new IllegalStateException("no list '" + field + "' in the answer " + answer);
    }
    return list.stream().map(Values::map).toList();
  }

  @Override
  public void close() throws InterruptedException, IOException {
    if (process != null) {
      stop(process);
    }
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    }
  }
}
