package dev.slipway.promises;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/**
 * The outside world, as an independent witness: steps call it, and it writes down each call with
 * its idempotency key. As a good receiver does, it takes a key that it knows for the same request
 * again: one effect.
 */
final class Witness implements AutoCloseable {
  /** A call as it arrived. */
  record Call(String key, String application, String effect) {}

  private final HttpServer server;
  private final List<Call> calls = new ArrayList<>();

  Witness() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::receive);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The path is /APPLICATION/EFFECT[/once]: the last form fails in passing the first time. */
  private void receive(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    exchange.getRequestBody().readAllBytes();
    boolean fresh;
    synchronized (calls) {
      fresh = effects(path[1], path[2]).isEmpty();
      calls.add(new Call(String.valueOf(key), path[1], path[2]));
    }
    String mode = path.length > 3 ? path[3] : "";
    boolean knownFirst = !fresh && firstKey(path[1], path[2]).equals(key);
    int status =
        switch (mode) {
          case "flaky" -> fresh || knownFirst ? 503 : 200;
          case "refused" -> 422;
          default -> 200;
        };
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private String firstKey(String application, String effect) {
    synchronized (calls) {
      return calls.stream()
          .filter(c -> c.application().equals(application) && c.effect().equals(effect))
          .findFirst()
          .map(Call::key)
          .orElse("");
    }
  }

  /** The keys under which that effect was asked for. */
  Set<String> effects(String application, String effect) {
    return effects(application).getOrDefault(effect, Map.of()).keySet();
  }

  /** All effects of an application: how often each was asked for, by key. */
  Map<String, Map<String, Integer>> effects(String application) {
    synchronized (calls) {
      Map<String, Map<String, Integer>> effects = new TreeMap<>();
      calls.stream()
          .filter(c -> c.application().equals(application))
          .forEach(
              c ->
                  effects
                      .computeIfAbsent(c.effect(), e -> new TreeMap<>())
                      .merge(c.key(), 1, Integer::sum));
      return effects;
    }
  }

  /** Every call in the order of arrival. */
  List<Call> calls() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
