package dev.slipway.postgres.embedded;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/** Finds a port on the loopback address. */
final class Ports {
  /** Below the range of ephemeral ports. */
  private static final int LEAST = 20_000;

  private static final int BOUND = 30_000;
  private static final int TRIES = 1_000;
  private static final int HIGHEST = 65_535;

  private Ports() {}

  static int choose(Path remembered, OptionalInt wanted) throws IOException {
    if (wanted.isPresent()) {
      if (!free(wanted.getAsInt())) {
        throw new DatabaseException(
            "port %d for the embedded PostgreSQL is taken by another program. Stop that program, or choose another port."
                .formatted(wanted.getAsInt()),
            null);
      }
      return wanted.getAsInt();
    }
    OptionalInt last = read(remembered);
    if (last.isPresent() && free(last.getAsInt())) {
      return last.getAsInt();
    }
    int any = any();
    write(remembered, any);
    return any;
  }

  /** The port in the file; chosen and written there at the first call. */
  static int kept(Path file) throws IOException {
    if (!Files.exists(file)) {
      write(file, freeBelowOutgoing());
    }
    int port =
        read(file)
            .orElseThrow(
                () ->
                    new DatabaseException(
                        "%s does not hold the port of the PostgreSQL for workloads. Workloads have it in their configuration: write that port into the file."
                            .formatted(file),
                        null));
    if (!free(port)) {
      throw new DatabaseException(
          "port %d for the PostgreSQL for workloads is taken by another program. Stop that program; workloads have this port in their configuration. To give it up, write another port into %s and deploy the workloads that use it again."
              .formatted(port, file),
          null);
    }
    return port;
  }

  /** As a whole: a server that is killed meanwhile leaves no file without a port. */
  private static void write(Path file, int port) throws IOException {
    Path fresh = Files.writeString(file.resolveSibling("." + file.getFileName()), port + "\n");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Empty when there is no file, or none with a port. */
  private static OptionalInt read(Path file) throws IOException {
    String text = Files.exists(file) ? Files.readString(file).strip() : "";
    return text.matches("[0-9]{1,5}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  private static int freeBelowOutgoing() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      int candidate = ThreadLocalRandom.current().nextInt(LEAST, BOUND);
      if (free(candidate)) {
        return candidate;
      }
    }
    return any();
  }

  static int of(Database.Address address) {
    return URI.create(address.jdbcUrl().substring("jdbc:".length())).getPort();
  }

  private static boolean free(int port) {
    if (port > HIGHEST) {
      return false;
    }
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static int any() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
