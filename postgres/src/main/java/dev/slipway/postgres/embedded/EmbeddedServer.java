package dev.slipway.postgres.embedded;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL as a child process, with its data below one directory. The starting process holds the
 * lock of that directory; a server that a dead process left running is stopped first. The server is
 * restarted when it dies.
 */
public final class EmbeddedServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
  static final String USER = "slipway";
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final Purpose purpose;
  private final Postmaster postmaster;
  private final Database.Address address;
  private final Threads threads;
  private volatile @Nullable Thread watch;
  private volatile Process process;
  private volatile boolean closing;

  private EmbeddedServer(
      Setup setup, Postmaster postmaster, Database.Address address, Process process) {
    this.purpose = setup.purpose();
    this.threads = setup.threads();
    this.postmaster = postmaster;
    this.address = address;
    this.process = process;
  }

  /**
   * Starts it, initialising its data at the first start. Without a port it uses the last one when
   * that is free, else any free one.
   */
  public static EmbeddedServer start(Path directory, OptionalInt port) {
    EmbeddedServer server = begin(directory, port, Threads.OF_MACHINE);
    server.awaitReady();
    return server;
  }

  /** Starts it without waiting until it accepts connections; from now on it has to be closed. */
  public static EmbeddedServer begin(Path directory, OptionalInt port, Threads threads) {
    return begin(
        new Setup(Purpose.STATE, directory, directory, threads),
        () -> Ports.choose(directory.resolve("pg.port"), port));
  }

  /**
   * The server for databases of workloads, with the programs that were unpacked into {@code
   * programs}. Its port is chosen at the first start and kept, because workloads have it in their
   * configuration.
   */
  public static EmbeddedServer beginWorkloads(Path directory, Path programs, Threads threads) {
    return begin(
        new Setup(Purpose.WORKLOADS, directory, programs, threads),
        () -> Ports.kept(directory.resolve("pg.port")));
  }

  /** Directories, threads and purpose of a server; programs are unpacked into {@code programs}. */
  private record Setup(Purpose purpose, Path directory, Path programs, Threads threads) {}

  /** Chooses the port to listen on. */
  private interface PortChoice {
    int port() throws IOException;
  }

  private static EmbeddedServer begin(Setup setup, PortChoice choice) {
    Path directory = setup.directory();
    Purpose purpose = setup.purpose();
    try {
      Files.createDirectories(directory);
      Path programs = Binaries.unpackedIn(setup.programs());
      String password = password(directory.resolve("pg.password"));
      Postmaster postmaster =
          new Postmaster(purpose, programs, directory.resolve("pg"), directory.resolve("pg.log"));
      postmaster.stopLeftover();
      postmaster.initialise(password);
      int chosen = choice.port();
      Database.Address address =
          new Database.Address(
              "jdbc:postgresql://127.0.0.1:" + chosen + "/postgres", USER, password);
      return new EmbeddedServer(setup, postmaster, address, postmaster.start(chosen));
    } catch (IOException e) {
      throw new DatabaseException(
          "cannot start the "
              + purpose.label()
              + " in "
              + directory
              + ": "
              + (noSpace(e) ? "the disk is full. Make room and start again." : e.getMessage()),
          e);
    }
  }

  /** Waits until it accepts connections; from then on it is restarted when it dies. */
  public void awaitReady() {
    postmaster.awaitReady(process, address);
    new Privileges(address).closeOwnDatabases();
    watch =
        switch (purpose) {
          case STATE -> threads.attend("postgres-watch", this::watch);
          // This server may be closed and started again while the replica continues.
          case WORKLOADS -> threads.start("workloads-watch", this::watch);
        };
  }

  /** The login of sql steps; its password is in a file of its own. */
  public Database.Address administrator(Path passwordFile) {
    try {
      return new Privileges(address).administrator("slipway_workloads", password(passwordFile));
    } catch (IOException e) {
      throw new DatabaseException(
          "the password of the %s cannot be kept in %s: %s"
              .formatted(purpose.label(), passwordFile, e.getMessage()),
          e);
    }
  }

  /** Its address and login. */
  public Database.Address address() {
    return address;
  }

  /** The process, for tests that kill it. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    closing = true;
    postmaster.stop();
    synchronized (this) {
      // A restart in progress may have missed the stop.
      postmaster.end(process);
    }
    try {
      Thread watching = watch;
      if (watching != null) {
        watching.join(Duration.ofSeconds(5));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Retries without limit: an operator can fix the cause, such as a full disk, while the server
   * logs it and waits.
   */
  private void watch() {
    Duration pause = PAUSE;
    try {
      while (true) {
        long since = System.nanoTime();
        int code = process.waitFor();
        if (closing) {
          return;
        }
        boolean ranLong = System.nanoTime() - since > Duration.ofMinutes(1).toNanos();
        pause = ranLong ? PAUSE : pause;
        LOG.error("the {} ended by itself (code {}); starting it again", purpose.label(), code);
        if (!startedAgain() && !closing) {
          Thread.sleep(pause);
          Duration longer = pause.multipliedBy(2);
          pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean startedAgain() {
    try {
      postmaster.awaitChildrenGone();
      synchronized (this) {
        if (closing) {
          return false;
        }
        process = postmaster.start(Ports.of(address));
      }
      postmaster.awaitReady(process, address);
      LOG.info("the {} is back", purpose.label());
      return true;
    } catch (IOException | DatabaseException e) {
      LOG.error("the {} cannot be started again: {}", purpose.label(), e.getMessage());
      return false;
    }
  }

  private static String password(Path file) throws IOException {
    if (!Files.exists(file)) {
      byte[] bytes = new byte[24];
      new SecureRandom().nextBytes(bytes);
      Path fresh =
          Files.createTempFile(
              file.getParent(),
              ".pg",
              "",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(fresh, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return Files.readString(file).strip();
  }

  static boolean noSpace(Throwable e) {
    return String.valueOf(e.getMessage()).contains("No space left on device");
  }
}
