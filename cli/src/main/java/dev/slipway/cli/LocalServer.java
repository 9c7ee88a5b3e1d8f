package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server on this machine that the demo may start and stop. A note in its data directory says that
 * the demo started it and whether the directory was there before.
 */
final class LocalServer {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The first start with a cluster builds its programs. */
  private static final Duration PATIENCE_WITH_CLUSTER = Duration.ofMinutes(30);

  /** Whether a server that is started runs the embedded cluster. */
  enum Cluster {
    EMBEDDED,
    /** When its data directory has one. */
    AS_BEFORE
  }

  private final Path data;
  private final String address;

  LocalServer(Map<String, String> env, String address) {
    this.data = ClientSettings.dataDirectory(env).toAbsolutePath();
    this.address = address;
  }

  Path data() {
    return data;
  }

  /** The installed layout that this command was started from. */
  static Path home() {
    String home = System.getProperty("slipway.home");
    if (home == null) {
      throw new Failure(
          ExitCode.USAGE, "this command was not started by its launcher", "Use ./slipway demo.");
    }
    return Path.of(home);
  }

  boolean answers() throws InterruptedException {
    return status("/ready") == 200;
  }

  private int status(String path) throws InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(address + path))
                  .timeout(Duration.ofSeconds(5))
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    } catch (IOException | IllegalArgumentException e) {
      return -1;
    }
  }

  /** Starts it in a session of its own, so that it stays when this command ends; waits for it. */
  void start(Cluster cluster) throws InterruptedException {
    boolean fresh = !Files.exists(data);
    boolean embedded =
        switch (cluster) {
          case EMBEDDED -> true;
          case AS_BEFORE -> Files.isDirectory(data.resolve("cluster"));
        };
    try {
      Files.createDirectories(data);
      Path log = data.resolve("server.log");
      List<String> command = new ArrayList<>();
      if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
        command.add("/usr/bin/setsid");
      }
      command.addAll(
          List.of(home().resolve("bin/slipway").toString(), "up", "--data", data.toString()));
      command.addAll(List.of("--listen", URI.create(address).getAuthority()));
      if (embedded) {
        command.addAll(List.of("--cluster", "embedded"));
      }
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .redirectInput(new File("/dev/null"))
              .start();
      note(fresh, process.pid());
      await(process, log, embedded ? PATIENCE_WITH_CLUSTER : PATIENCE);
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "the server cannot be started: " + e.getMessage());
    }
  }

  private void await(Process process, Path log, Duration patience)
      throws InterruptedException, IOException {
    Instant until = Instant.now().plus(patience);
    while (!answers()) {
      if (process.waitFor(150, TimeUnit.MILLISECONDS)) {
        throw new Failure(ExitCode.FAILED, "the server ended at once. It said:", tail(log));
      }
      if (Instant.now().isAfter(until)) {
        process.destroy();
        throw new Failure(
            ExitCode.TIMEOUT,
            "the server is not ready after " + patience.toSeconds() + " s. It said:",
            tail(log));
      }
    }
  }

  private static List<String> tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.subList(Math.max(0, lines.size() - 12), lines.size());
  }

  private void note(boolean fresh, long pid) throws IOException {
    boolean made = fresh || read().map(n -> Boolean.TRUE.equals(n.get("madeData"))).orElse(false);
    Files.writeString(data.resolve("demo.json"), Json.write(Map.of("pid", pid, "madeData", made)));
  }

  private Optional<Map<String, Object>> read() {
    try {
      return Optional.of(Json.readMap(Files.readString(data.resolve("demo.json"))));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  boolean startedByDemo() {
    return read().isPresent();
  }

  /** Stops it, and removes its data directory when the demo had made that. */
  void stop() throws InterruptedException {
    Map<String, Object> note = read().orElse(Map.of());
    if (note.get("pid") instanceof Number pid) {
      Optional<ProcessHandle> process =
          ProcessHandle.of(pid.longValue())
              .filter(p -> p.info().commandLine().orElse("").contains("slipway"));
      process.ifPresent(ProcessHandle::destroy);
      Instant until = Instant.now().plus(PATIENCE);
      while (process.isPresent() && process.get().isAlive() && Instant.now().isBefore(until)) {
        Thread.sleep(50);
      }
    }
    if (Boolean.TRUE.equals(note.get("madeData"))) {
      remove(data);
    } else {
      data.resolve("demo.json").toFile().delete();
    }
  }

  private static void remove(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
