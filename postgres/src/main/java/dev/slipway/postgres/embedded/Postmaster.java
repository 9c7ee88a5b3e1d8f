package dev.slipway.postgres.embedded;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL's own programs on one data directory. */
record Postmaster(Purpose purpose, Path programs, Path data, Path log) {
  private static final Logger LOG = LoggerFactory.getLogger(Postmaster.class);
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final Duration RECOVERY = Duration.ofMinutes(2);
  private static final Duration STOPPING = Duration.ofSeconds(30);

  /** Initialises the data directory at the first start, atomically. */
  void initialise(String password) throws IOException {
    if (Files.exists(data.resolve("PG_VERSION"))) {
      return;
    }
    Path fresh = data.resolveSibling(".pg-new");
    removeAll(fresh);
    Path passwordFile = data.resolveSibling(".pg-password");
    Files.deleteIfExists(passwordFile);
    Files.createFile(
        passwordFile,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(passwordFile, password);
    try {
      run(
          "initdb",
          List.of(
              "-D",
              fresh.toString(),
              "-U",
              EmbeddedServer.USER,
              "-A",
              "scram-sha-256",
              "--pwfile=" + passwordFile,
              "-E",
              "UTF8",
              "--locale=C",
              "--no-instructions"));
    } finally {
      Files.deleteIfExists(passwordFile);
    }
    Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * In a session of its own, so that Ctrl-C in a terminal stops Slipway first, which stops
   * PostgreSQL last.
   */
  Process start(int port) throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      command.add(SETSID.toString());
    }
    command.addAll(asOrdinaryUser());
    command.add(programs.resolve("bin/postgres").toString());
    command.addAll(List.of("-D", data.toString(), "-p", "" + port));
    purpose.settings().forEach(s -> command.addAll(List.of("-c", s)));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Waits until it accepts connections; throws with its log when it exits instead. */
  void awaitReady(Process process, Database.Address address) {
    Properties login = new Properties();
    login.setProperty("user", address.user());
    login.setProperty("password", address.password());
    login.setProperty("connectTimeout", "2");
    Instant limit = Instant.now().plus(RECOVERY);
    while (true) {
      try {
        DriverManager.getConnection(address.jdbcUrl(), login).close();
        return;
      } catch (SQLException e) {
        if (!process.isAlive()) {
          throw ended(e);
        }
        if (Instant.now().isAfter(limit)) {
          process.destroy();
          throw new DatabaseException(
              "the %s did not answer within %d s: %s. Its log is %s."
                  .formatted(purpose.label(), RECOVERY.toSeconds(), e.getMessage(), log),
              e);
        }
      }
      pause();
    }
  }

  private DatabaseException ended(SQLException cause) {
    String words = lastWords();
    String why =
        words.contains("No space left on device")
            ? "the disk is full. Make room in " + data.getParent() + " and start again."
            : words.contains("could not bind")
                ? "its port is taken by another program. Choose another one."
                : words.contains("unshare")
                    ? "as root it needs user namespaces, which this machine does not allow. Start"
                        + " Slipway as an ordinary user."
                    : "it said: " + words;
    return new DatabaseException("the " + purpose.label() + " did not start: " + why, cause);
  }

  /** Stops in fast mode, and waits for the exit. */
  void stop() {
    try {
      run("pg_ctl", List.of("stop", "-D", data.toString(), "-m", "fast", "-w", "-t", "30"));
    } catch (IOException | DatabaseException e) {
      LOG.warn("the {} could not be stopped: {}", purpose.label(), e.getMessage());
    }
  }

  /** Kills the process if it is still running. */
  void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(STOPPING.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** A server whose parent died keeps running; its data directory is needed here. */
  void stopLeftover() throws IOException {
    if (leftover().isPresent()) {
      LOG.info("stopping the {} that an earlier server left behind", purpose.label());
      stop();
    }
  }

  /**
   * After a crash of the main process its children exit one by one; until then they use the data.
   */
  void awaitChildrenGone() {
    Instant limit = Instant.now().plus(STOPPING);
    while (Instant.now().isBefore(limit) && anyOnData()) {
      pause();
    }
  }

  private boolean anyOnData() {
    // Children hold the shared memory that postmaster.pid names; postgres itself checks it at
    // start.
    return ProcessHandle.allProcesses()
        .anyMatch(
            p ->
                p.info()
                    .commandLine()
                    .filter(c -> c.contains("postgres") && c.contains(data.toString()))
                    .isPresent());
  }

  private Optional<ProcessHandle> leftover() throws IOException {
    Path file = data.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(p -> p.info().commandLine().filter(c -> c.contains("postgres")).isPresent());
  }

  /** The last lines of its log. */
  String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(" / ", lines.subList(Math.max(0, lines.size() - 4), lines.size()));
    } catch (IOException e) {
      return "nothing (" + e.getMessage() + ")";
    }
  }

  private void run(String program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(asOrdinaryUser());
    command.add(programs.resolve("bin").resolve(program).toString());
    command.addAll(arguments);
    Path output = Files.createTempFile(data.toAbsolutePath().getParent(), ".pg", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(STOPPING.toSeconds() * 4, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new DatabaseException(program + " did not end", null);
      }
      if (process.exitValue() != 0) {
        throw new IOException(program + " failed: " + Files.readString(output).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException(program + " was interrupted", e);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /**
   * PostgreSQL refuses to run as root; inside a user namespace of its own, root has no privileges.
   */
  private static List<String> asOrdinaryUser() {
    return "root".equals(System.getProperty("user.name")) ? List.of("unshare", "-U") : List.of();
  }

  private static void removeAll(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(Duration.ofMillis(25));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
