package dev.slipway.promises;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A witness of launches: when each attempt of a step began, by whom, and whether two of the same
 * key were ever under way at the same time. Calls arrive over HTTP and take a moment; scripts write
 * lines into a file, and hold a lock of the kernel's that dies with them.
 */
final class Launches implements AutoCloseable {
  private static final Duration A_CALL = Duration.ofMillis(300);

  /** Scripts take a while too; what ran twice finds its lock taken. */
  static final String SCRIPT =
      """
      set -eu
      exec 9>>"$WITNESS/${SLIPWAY_IDEMPOTENCY_KEY//\\//_}"
      flock -n 9 || echo "double $SLIPWAY_IDEMPOTENCY_KEY" >> "$WITNESS/doubles"
      echo "$(date +%s%N) $SLIPWAY_APPLICATION $SLIPWAY_IDEMPOTENCY_KEY $SLIPWAY_OUTPUT" >> "$WITNESS/launches"
      sleep 0.4
      """;

  /** One launch; {@code place} tells the replica of a script, and is empty for calls. */
  record Launch(Instant at, String application, String step, String key, String place) {}

  private final HttpServer server;
  private final Path files;
  private final List<Launch> calls = new ArrayList<>();
  private final Map<String, Integer> underWay = new HashMap<>();
  private final List<String> doubles = new ArrayList<>();

  Launches(Path files) throws IOException {
    this.files = Files.createDirectories(files);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::hear);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  Path files() {
    return files;
  }

  private void hear(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    exchange.getRequestBody().readAllBytes();
    begin(new Launch(Instant.now(), path[1], path[2], key, ""));
    try {
      TimeUnit.NANOSECONDS.sleep(A_CALL.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (calls) {
      underWay.merge(key, -1, Integer::sum);
    }
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private void begin(Launch launch) {
    synchronized (calls) {
      calls.add(launch);
      if (underWay.merge(launch.key(), 1, Integer::sum) > 1) {
        doubles.add("double " + launch.key());
      }
    }
  }

  /** Every launch so far. */
  List<Launch> all() throws IOException {
    List<Launch> all = new ArrayList<>();
    synchronized (calls) {
      all.addAll(calls);
    }
    for (String line : lines("launches")) {
      String[] words = line.split(" ", 4);
      long nanos = Long.parseLong(words[0]);
      all.add(new Launch(Instant.ofEpochSecond(0, nanos), words[1], "script", words[2], words[3]));
    }
    return all;
  }

  /** Keys of which two launches were under way at once. */
  List<String> doubles() throws IOException {
    List<String> all = new ArrayList<>(lines("doubles"));
    synchronized (calls) {
      all.addAll(doubles);
    }
    return all;
  }

  private List<String> lines(String name) throws IOException {
    Path file = files.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
