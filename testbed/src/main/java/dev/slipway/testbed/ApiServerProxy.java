package dev.slipway.testbed;

import dev.slipway.kubernetes.controlplane.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes bytes between clients and an API server. It simulates one that is away and one that
 * accepts connections and does not answer.
 */
public final class ApiServerProxy implements AutoCloseable {
  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition speaks = lock.newCondition();
  private boolean silent;
  private volatile boolean away;

  /** A proxy for the API server at that address. */
  public ApiServerProxy(Kubeconfig kubeconfig) {
    URI server = URI.create(kubeconfig.server());
    this.target = new InetSocketAddress(server.getHost(), server.getPort());
    try {
      this.listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("API server proxy").start(this::accept);
  }

  /** The same kubeconfig through this proxy. */
  public Kubeconfig through(Kubeconfig kubeconfig) {
    return new Kubeconfig(
        "https://127.0.0.1:" + listener.getLocalPort(),
        kubeconfig.authority(),
        kubeconfig.user(),
        kubeconfig.token(),
        kubeconfig.namespace());
  }

  /** How often a client has connected, also while the server was away. */
  public int connections() {
    return connections.get();
  }

  /** Cuts all connections and closes new ones at once. */
  public void goAway() {
    away = true;
    open.forEach(ApiServerProxy::close);
  }

  /** Serves again. */
  public void comeBack() {
    away = false;
  }

  /** Passes nothing from now on: connections stay open. */
  public void fallSilent() {
    lock.lock();
    try {
      silent = true;
    } finally {
      lock.unlock();
    }
  }

  /** Passes what has gathered, and goes on. */
  public void speak() {
    lock.lock();
    try {
      silent = false;
      speaks.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        connections.incrementAndGet();
        if (away) {
          close(client);
        } else {
          open.add(client);
          Thread.ofVirtual().start(() -> serve(client));
        }
      }
    } catch (IOException e) {
      open.forEach(ApiServerProxy::close);
    }
  }

  private void serve(Socket client) {
    try (Socket server = new Socket(target.getAddress(), target.getPort())) {
      open.add(server);
      Thread back = Thread.ofVirtual().start(() -> pump(server, client));
      pump(client, server);
      back.join();
      open.remove(server);
    } catch (IOException e) {
      close(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 14];
    try {
      for (int read; (read = from.getInputStream().read(buffer)) >= 0; ) {
        awaitSpeech();
        to.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException e) {
      // the other side learns it by the end of its connection
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close(from);
    close(to);
  }

  private void awaitSpeech() throws InterruptedException {
    lock.lock();
    try {
      while (silent) {
        speaks.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    speak();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
