package dev.slipway.promises;

import static org.awaitility.Awaitility.await;

import dev.slipway.testbed.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server process of the installed layout, with a data directory that outlives it. */
final class Replica implements AutoCloseable {
  static final Path HOME = Path.of("..", "dist", "target", "slipway").toAbsolutePath().normalize();
  private static final Pattern READY = Pattern.compile("Slipway is ready at (http://\\S+)");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path directory;
  private final Path config;
  private final List<String> launcher;
  private final List<String> options;
  private int formers;
  private volatile Process process;
  private volatile String url = "";

  /** Keeps its data below {@code directory}; the database may be reached through a proxy. */
  Replica(Path directory, Path config, TestDatabase database) {
    this(
        directory,
        config,
        List.of(),
        List.of(
            "--database", database.jdbcUrl() + "?user=" + database.user() + "&password=unused"));
  }

  private Replica(Path directory, Path config, List<String> launcher, List<String> options) {
    this.directory = directory;
    this.config = config;
    this.launcher = launcher;
    this.options = options;
  }

  /**
   * With the PostgreSQL that is built in, and its data on a disk of that size: a file system in
   * memory that only this process and its children see, which every user may have.
   */
  static Replica onDiskOf(String size, Path directory, Path config) {
    String mount = "mount -t tmpfs -o size=" + size + " none \"$0\" && exec \"$@\"";
    String data = directory.resolve("data").toString();
    List<String> launcher = List.of("unshare", "-rm", "sh", "-c", mount, data);
    return new Replica(directory, config, launcher, List.of());
  }

  /** With the PostgreSQL that is built in. */
  static Replica withItsOwnDatabase(Path directory, Path config) {
    return new Replica(directory, config, List.of(), List.of());
  }

  /** Starts it and waits until it is ready. */
  Replica start() {
    launch();
    try {
      awaitReady(directory.resolve("out.log"));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it and waits for nothing. */
  void launch() {
    try {
      Files.createDirectories(directory);
      Path out = directory.resolve("out.log");
      keep(out);
      Files.createDirectories(directory.resolve("data"));
      Files.createDirectories(temporary());
      ProcessBuilder builder =
          new ProcessBuilder(command())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .redirectInput(new File("/dev/null"));
      builder.environment().clear();
      builder
          .environment()
          .putAll(
              Map.of(
                  "PATH",
                  System.getenv("PATH"),
                  "HOME",
                  directory.toString(),
                  "JAVA_HOME",
                  System.getProperty("java.home"),
                  "TMPDIR",
                  temporary().toString(),
                  "SLIPWAY_JAVA_OPTS",
                  "-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=" + temporary()));
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(launcher);
    command.add(HOME.resolve("bin/slipway").toString());
    command.addAll(List.of("up", "--data", directory.resolve("data").toString()));
    command.addAll(List.of("--config", config.toString(), "--listen", "127.0.0.1:0"));
    command.addAll(options);
    return command;
  }

  private void awaitReady(Path out) throws IOException {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> ready(Files.readString(out)) || !process.isAlive());
    if (!ready(Files.readString(out))) {
      throw new AssertionError("the server does not start:\n" + log());
    }
  }

  private boolean ready(String said) {
    Matcher matcher = READY.matcher(said);
    if (matcher.find()) {
      url = matcher.group(1);
      return true;
    }
    return false;
  }

  /**
   * {@code kill -9}; returns when it is gone. A process that was started again meanwhile is left
   * alone.
   */
  void kill() {
    Process dying = process;
    dying.destroyForcibly();
    try {
      dying.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean alive() {
    return process != null && process.isAlive();
  }

  /** Stops its clock hands: SIGSTOP. */
  void freeze() {
    signal("STOP");
  }

  /** Lets it go on: SIGCONT. */
  void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  String url() {
    return url;
  }

  long pid() {
    return process.pid();
  }

  /** Its data directory, as it can be reached from here. */
  Path data() {
    Path data = directory.resolve("data");
    return launcher.isEmpty() ? data : Path.of("/proc/" + pid() + "/root" + data.toAbsolutePath());
  }

  /** Where it puts what it keeps for a moment only. */
  Path temporary() {
    return directory.resolve("tmp");
  }

  /** Asks it to end, and waits until it has. */
  void stop() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE)) {
        kill();
        throw new AssertionError("the server does not end when it is asked to:\n" + log());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  String token() {
    try {
      return Files.readString(data().resolve("admin-token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What each process said stays until the end of the test. */
  private void keep(Path out) throws IOException {
    if (Files.exists(out)) {
      Files.move(out, former(++formers));
    }
  }

  private Path former(int number) {
    return directory.resolve("out-" + number + ".log");
  }

  /** What it said since its last start, and what the process before it said. */
  String log() {
    try {
      String before = formers > 0 ? Files.readString(former(formers)) : "";
      return before + "--- start ---\n" + Files.readString(directory.resolve("out.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (alive()) {
      thaw();
      kill();
    }
  }
}
