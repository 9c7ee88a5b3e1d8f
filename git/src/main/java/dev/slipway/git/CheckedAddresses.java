package dev.slipway.git;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/**
 * Addresses of a repository's host that the caller has checked. A connection uses one of them and
 * not the result of a later lookup, which may be a server that was never checked.
 */
public record CheckedAddresses(List<InetAddress> all) {
  /** None: the name is looked up for each connection. */
  public static final CheckedAddresses NONE = new CheckedAddresses(List.of());

  private static final int PATIENCE_MILLIS = 5_000;

  public CheckedAddresses {
    all = List.copyOf(all);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The first that accepts a connection at that port; the first of all if none does. */
  InetAddress reachable(int port) {
    if (all.size() > 1) {
      for (InetAddress address : all) {
        if (takesConnection(new InetSocketAddress(address, port))) {
          return address;
        }
      }
    }
    return all.getFirst();
  }

  private static boolean takesConnection(InetSocketAddress place) {
    try (Socket socket = new Socket()) {
      socket.connect(place, PATIENCE_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
