package dev.slipway.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;

/**
 * A service with things of several teams, reached by path: {@code PUT} makes one, {@code DELETE}
 * removes one with everything below it. Paths are decoded and their dots resolved first, as many
 * servers do. It also listens at an address that the provider was not granted.
 */
final class ThingsServer implements AutoCloseable {
  private static final String GRANTED = "127.0.0.1";
  private static final String NOT_GRANTED = "127.0.0.2";

  private final Map<String, String> things = new TreeMap<>();
  private final Set<String> strange = new TreeSet<>();
  private final HttpServer granted;
  private final HttpServer other;

  ThingsServer() {
    try {
      granted = listening(GRANTED);
      other = listening(NOT_GRANTED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpServer listening(String address) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(address, 0), 0);
    server.createContext("/", exchange -> answer(exchange, address));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return server;
  }

  String url() {
    return "http://" + GRANTED + ":" + granted.getAddress().getPort();
  }

  /** Host and port at which no step of the provider may call. */
  String notGranted() {
    return NOT_GRANTED + ":" + other.getAddress().getPort();
  }

  /** Makes a thing without a call. */
  synchronized void put(String path, String body) {
    things.put(path, body);
  }

  /** Every thing, and every request that should not have been made. */
  synchronized void snapshot(Map<String, String> all) {
    things.forEach((path, body) -> all.put("thing " + path, body));
    strange.forEach(request -> all.put("request " + request, ""));
  }

  private void answer(HttpExchange exchange, String address) throws IOException {
    try (exchange) {
      byte[] sent = exchange.getRequestBody().readAllBytes();
      handle(exchange, address, new String(sent, StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  private synchronized void handle(HttpExchange exchange, String address, String sent) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    if (!address.equals(GRANTED)
        || !url().equals("http://" + host)
        || exchange.getRequestHeaders().containsKey("X-Evil")) {
      strange.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " at " + host);
    }
    String path = resolved(exchange.getRequestURI());
    switch (exchange.getRequestMethod()) {
      case "PUT" -> things.put(path, sent);
      case "DELETE" ->
          things.keySet().removeIf(each -> each.equals(path) || each.startsWith(path + "/"));
      default -> {}
    }
  }

  private static String resolved(URI asked) {
    String raw = asked.getRawPath() == null ? "" : asked.getRawPath();
    String path = URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    StringBuilder resolved = new StringBuilder();
    for (String segment : path.replace('\\', '/').split("/")) {
      String name = segment.replaceFirst(";.*", "");
      if (name.equals("..")) {
        resolved.setLength(Math.max(0, resolved.lastIndexOf("/")));
      } else if (!name.isEmpty() && !name.equals(".")) {
        resolved.append('/').append(segment);
      }
    }
    return resolved.toString();
  }

  @Override
  public void close() {
    granted.stop(0);
    other.stop(0);
  }
}
