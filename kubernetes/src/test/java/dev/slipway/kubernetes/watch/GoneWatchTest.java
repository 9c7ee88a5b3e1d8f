package dev.slipway.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.kubernetes.watch.OwnedChange.What;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A watch that is too old for the server. A real API server says so when its history is gone, which
 * takes it minutes; this one answers in the same words at once.
 */
class GoneWatchTest {
  private static final String GONE =
      "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
          + "\"message\":\"too old resource version: 1 (9)\"}";

  private final AtomicInteger lists = new AtomicInteger();
  private final AtomicInteger follows = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer server;
  private Watched watched;

  /** The second watch stays open; {@code gone} is the answer to the first one. */
  private void begin(int status, String gone) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answer(exchange, status, gone));
    server.start();
    watched =
        new Watched(
            new Kubeconfig(
                "http://127.0.0.1:" + server.getAddress().getPort(), "", "u", "t", "default"),
            "default",
            Watched.QUICK);
  }

  private void answer(HttpExchange exchange, int status, String gone) {
    try (exchange) {
      if (!String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
        send(exchange, 200, list(lists.incrementAndGet()));
      } else if (follows.incrementAndGet() == 1) {
        send(exchange, status, gone + "\n");
      } else {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        over.await();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  /** The first list has an object that the second one has not. */
  private String list(int number) {
    String object =
        "{\"metadata\":{\"name\":\"web\",\"namespace\":\"default\",\"uid\":\"u\","
            + "\"resourceVersion\":\"1\",\"labels\":{\"slipway.dev/owner\":\""
            + watched.owner
            + "\"}}}";
    return "{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
        .formatted(number, number == 1 ? object : "");
  }

  private void awaitListedAgain() {
    watched.watching(Watched.CONFIG_MAPS);
    Awaitility.await("what the second list lacks is reported")
        .untilAsserted(() -> assertThat(watched.reported("web")).containsExactly(What.DELETED));
    assertThat(lists).hasValue(2);
  }

  @AfterEach
  void end() {
    over.countDown();
    watched.close();
    server.stop(0);
  }

  @Test
  void a_watch_that_is_refused_as_too_old_lists_again_and_tells_what_was_missed()
      throws IOException {
    begin(410, GONE);
    awaitListedAgain();
  }

  @Test
  void a_watch_that_becomes_too_old_lists_again_and_tells_what_was_missed() throws IOException {
    begin(200, "{\"type\":\"ERROR\",\"object\":" + GONE + "}");
    awaitListedAgain();
  }
}
