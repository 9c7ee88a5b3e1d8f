package dev.slipway.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers calls with what was recorded for them; the last answer to a call stays. */
final class RecordedServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Deque<String>> answers = new HashMap<>();

  /** What was called, in order, with method and query. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  final Cli cli;

  RecordedServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    cli = new Cli("--server", "http://127.0.0.1:" + server.getAddress().getPort(), "--token", "x");
  }

  /** These bodies one after the other; an empty one is a 404, {@code 204} has no body. */
  RecordedServer on(String call, String... bodies) {
    answers.put(call, new ArrayDeque<>(List.of(bodies)));
    return this;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    calls.add(call);
    Deque<String> left = answers.getOrDefault(call, new ArrayDeque<>(List.of("")));
    String body = left.size() > 1 ? left.removeFirst() : left.getFirst();
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    if (body.equals("204")) {
      exchange.sendResponseHeaders(204, -1);
    } else {
      exchange.sendResponseHeaders(
          body.isEmpty() ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
