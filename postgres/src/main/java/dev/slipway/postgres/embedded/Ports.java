package dev.slipway.postgres.embedded;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/** Finds a port on the loopback address. */
final class Ports {
  /** Below the range of ephemeral ports. */
  private static final int LEAST = 20_000;

  private static final int BOUND = 30_000;
  private static final int TRIES = 1_000;

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
    if (Files.exists(remembered)) {
      int last = Integer.parseInt(Files.readString(remembered).strip());
      if (free(last)) {
        return last;
      }
    }
    int any = any();
    Files.writeString(remembered, any + "\n");
    return any;
  }

  /** The port in the file; chosen and written there at the first call. */
  static int kept(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.writeString(file, freeBelowOutgoing() + "\n");
    }
    int port = Integer.parseInt(Files.readString(file).strip());
    if (!free(port)) {
      throw new DatabaseException(
          "port %d for the PostgreSQL for workloads is taken by another program. Stop that program; workloads have this port in their configuration. To give it up, write another port into %s and deploy the workloads that use it again."
              .formatted(port, file),
          null);
    }
    return port;
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
