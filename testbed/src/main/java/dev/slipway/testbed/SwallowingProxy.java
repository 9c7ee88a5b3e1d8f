package dev.slipway.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy of TCP connections that simulates a network which loses them without a word: bytes of the
 * connections that it has are read and thrown away, while new ones work.
 */
public final class SwallowingProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();

  /** Two ends of one connection. */
  private static final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean lost;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    private void copy(Socket from, Socket to) {
      byte[] buffer = new byte[16 << 10];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (!lost) {
            out.write(buffer, 0, n);
          }
        }
        if (!lost) {
          close();
        }
      } catch (IOException e) {
        close();
      }
    }

    private void close() {
      try (client;
          server) {
        lost = true;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A proxy for the server at that port of this machine. */
  public SwallowingProxy(int target) {
    this.target = target;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("swallowing proxy").start(this::accept);
  }

  /** Where clients connect. */
  public int port() {
    return listener.getLocalPort();
  }

  /** How many connections there were. */
  public int accepted() {
    return accepted.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        accepted.incrementAndGet();
        Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), target));
        links.add(link);
        Thread.ofVirtual().start(() -> link.copy(link.client, link.server));
        Thread.ofVirtual().start(() -> link.copy(link.server, link.client));
      } catch (IOException e) {
        // the listener was closed, or the server is away: the client sees a closed connection
        continue;
      }
    }
  }

  /** From now on nothing comes through the connections that there are. */
  public void swallow() {
    links.forEach(link -> link.lost = true);
  }

  /** Cuts all connections. */
  public void cut() {
    links.forEach(Link::close);
    links.clear();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
