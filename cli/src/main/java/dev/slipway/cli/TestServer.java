package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server for the tests of one provider: its own process, database and directory, all gone when
 * this is closed, however the command ends. It stops by itself when its standard input is closed.
 */
final class TestServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String READY = "Slipway is ready at ";

  /** What becomes of its directory. */
  enum Afterwards {
    REMOVE,
    KEEP
  }

  private final Path directory;
  private final Afterwards afterwards;
  private final Thread hook = new Thread(this::end);
  private final List<Api> callers = new CopyOnWriteArrayList<>();
  private @Nullable Process process;
  private @Nullable Api api;
  private String address = "";
  private boolean ended;

  private TestServer(Path directory, Afterwards afterwards) {
    this.directory = directory;
    this.afterwards = afterwards;
  }

  /** Starts one with this configuration; it is ready when this returns. */
  static TestServer start(Map<String, Object> config, Afterwards afterwards)
      throws InterruptedException {
    try {
      Path directory = Files.createTempDirectory("slipway-provider-test-");
      TestServer server = new TestServer(directory, afterwards);
      Runtime.getRuntime().addShutdownHook(server.hook);
      try {
        server.launch(config);
        return server;
      } catch (IOException | InterruptedException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "no server can be started: " + e.getMessage());
    }
  }

  private void launch(Map<String, Object> config) throws IOException, InterruptedException {
    configure(config);
    record(Map.of());
    ProgramCache.lend(data());
    List<String> command = new ArrayList<>(program());
    command.addAll(List.of("--data", data().toString(), "--listen", "127.0.0.1:0"));
    command.addAll(List.of("--config", configFile().toString()));
    command.addAll(List.of("--recorded", recordFile().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile());
    builder.environment().keySet().removeIf(TestServer::settingOfAServer);
    builder.environment().put("SLIPWAY_LOG", "json");
    Process begun = builder.start();
    process = begun;
    address = await(begun);
    api = caller(Files.readString(data().resolve("admin-token")).strip());
  }

  /** The server as the account with this token sees it. */
  Api caller(String token) {
    Api caller =
        new Api(
            new ClientSettings(
                Map.of(
                    ClientSettings.SERVER, new ClientSettings.Value(address, "test"),
                    ClientSettings.TOKEN, new ClientSettings.Value(token, "test"))));
    callers.add(caller);
    return caller;
  }

  private static boolean settingOfAServer(String name) {
    return name.startsWith("SLIPWAY_") && !name.endsWith("_JAVA_OPTS") && !name.endsWith("_HEAP");
  }

  /** By the launcher where there is one, because that has the start-up cache. */
  private static List<String> program() {
    String home = System.getProperty("slipway.home");
    return home != null
        ? List.of(Path.of(home, "bin", "slipway").toString(), "up")
        : List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.slipway.server.Main");
  }

  private String await(Process process) throws IOException, InterruptedException {
    Instant until = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(until)) {
      boolean over = process.waitFor(30, TimeUnit.MILLISECONDS);
      Optional<String> ready =
          Files.readAllLines(log()).stream().filter(line -> line.startsWith(READY)).findFirst();
      if (ready.isPresent()) {
        return ready.get().substring(READY.length());
      }
      if (over) {
        throw new Failure(ExitCode.FAILED, "the test's server ended at once. It said:", tail());
      }
    }
    throw new Failure(
        ExitCode.TIMEOUT,
        "the test's server is not ready after " + PATIENCE.toSeconds() + " s. It said:",
        tail());
  }

  private List<String> tail() throws IOException {
    List<String> lines = Files.readAllLines(log());
    return lines.subList(Math.max(0, lines.size() - 12), lines.size());
  }

  /** As the administrator sees it. */
  Api api() {
    return Objects.requireNonNull(api, "start() returns a server that is ready");
  }

  Path directory() {
    return directory;
  }

  Path data() {
    return directory.resolve("data");
  }

  Path configFile() {
    return directory.resolve("admin-config.yaml");
  }

  private Path recordFile() {
    return directory.resolve("recorded.json");
  }

  private Path log() {
    return directory.resolve("server.log");
  }

  /** The administrator's configuration; it holds after a reload. */
  void configure(Map<String, Object> config) throws IOException {
    Files.writeString(configFile(), Yaml.write(config));
  }

  /** Answers for steps from now on; what was given to steps before is forgotten. */
  void record(Map<String, List<Map<String, Object>>> steps) throws IOException {
    Path fresh = directory.resolve("recorded.json.new");
    Files.writeString(fresh, Json.write(Map.of("steps", steps)));
    Files.move(fresh, recordFile(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Files.deleteIfExists(callsFile());
  }

  private Path callsFile() {
    return directory.resolve("recorded.json.calls");
  }

  /** What steps were given since answers were last recorded. */
  List<Map<String, Object>> calls() throws IOException {
    return Files.exists(callsFile())
        ? Files.readAllLines(callsFile()).stream().map(Json::readMap).toList()
        : List.of();
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the command is being stopped, and the hook does the same
    }
  }

  private synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    callers.forEach(Api::close);
    if (process != null) {
      stop(process);
    }
    if (afterwards == Afterwards.REMOVE) {
      ProgramCache.keep(data());
      remove();
    }
  }

  private static void stop(Process process) {
    List<ProcessHandle> below = process.descendants().toList();
    try (OutputStream input = process.getOutputStream()) {
      input.flush();
    } catch (IOException e) {
      // it is gone already
    }
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        process.waitFor(5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      below.forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  private void remove() {
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    } catch (IOException e) {
      System.err.println("slipway: " + directory + " could not be removed: " + e.getMessage());
    }
  }
}
