package dev.slipway.git;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;

/** A socket that connects to one address, whichever address its caller names. */
final class PinnedSocket extends Socket {
  private final InetSocketAddress place;

  PinnedSocket(InetSocketAddress place) {
    this.place = place;
  }

  @Override
  public void connect(SocketAddress named, int timeout) throws IOException {
    super.connect(place, timeout);
  }
}
