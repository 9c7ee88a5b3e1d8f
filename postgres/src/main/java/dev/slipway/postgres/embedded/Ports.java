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

/** Finds a port on the loopback address. */
final class Ports {
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
