package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.events.EventLog;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Clients that reset their connection (RST, not FIN), and clients that do not read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("proof")
class StreamResetTest {
  private static final int AT_ONCE = 20;

  @TempDir Path directory;
  private Running running;
  private Database database;
  private EventLog log;
  private int dumps;

  @BeforeAll
  void start() {
    running = new Running();
    database = Database.open(Running.url(running.database).address(), 4);
    log = new EventLog(database.jdbi());
  }

  @AfterAll
  void stop() {
    database.close();
    running.close();
  }

  private String request(String query) {
    return "GET /api/events"
        + query
        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        + running.adminToken
        + "\r\n\r\n";
  }

  /** A connection that ends with a reset, not with an orderly close. */
  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoLinger(true, 0);
    socket.connect(new InetSocketAddress("127.0.0.1", running.server.port()), 10_000);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private void tell(String app, String data) {
    log.append(
        List.of(
            new Event(
                "spec.created",
                RootColumn.ref(app, "default"),
                "default",
                "red",
                "test",
                Instant.now(),
                Map.of("x", data))));
  }

  @Test
  void a_client_that_resets_its_stream_at_any_byte_leaves_nothing_behind() throws Exception {
    for (int i = 0; i < 5; i++) {
      tell("reset", "x".repeat(40));
    }
    settled(0);
    int connections = gauge("slipway_http_connections");
    List<Callable<Void>> clients = new ArrayList<>();
    String request = request("?app=reset&after=0");
    for (int sent = 1; sent < request.length(); sent += 9) {
      clients.add(reset(request.substring(0, sent), 0)); // in the middle of the request
    }
    for (int read = 0; read < 900; read += 3) {
      clients.add(reset(request, read)); // status line, headers, chunk sizes, events
    }
    for (int i = 0; i < 10; i++) {
      clients.add(this::resetAfterHeartbeat);
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<Void> client : threads.invokeAll(clients)) {
        client.get();
      }
    }
    settled(connections);
    assertThat(stackFrames("EventStream.write")).as("threads that still serve a stream").isZero();
  }

  private Callable<Void> reset(String request, int read) {
    return () -> {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        if (read > 0) {
          assertThat(socket.getInputStream().readNBytes(read)).hasSize(read);
        }
      }
      return null;
    };
  }

  private Void resetAfterHeartbeat() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request("?app=nothing").getBytes(StandardCharsets.US_ASCII));
      StringBuilder text = new StringBuilder();
      InputStream in = socket.getInputStream();
      while (text.indexOf(": hear") < 0) {
        int next = in.read();
        assertThat(next).isNotNegative();
        text.append((char) next);
      }
    }
    return null;
  }

  @Test
  void a_reader_that_takes_a_byte_now_and_then_is_cut_off_and_goes_on_where_it_was()
      throws Exception {
    for (int i = 0; i < 2_000; i++) {
      tell("slow", "y".repeat(8_000));
    }
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4_096);
      socket.connect(new InetSocketAddress("127.0.0.1", running.server.port()), 10_000);
      socket
          .getOutputStream()
          .write(request("?app=slow&after=0").getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo('H');
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .pollInterval(Duration.ofSeconds(1))
          .until(
              () -> {
                in.read();
                return gauge("slipway_streams{kind=\"events\"}") == 0;
              });
    }
    long first = log.oldest().orElseThrow();
    try (Socket socket = connect()) {
      String again =
          request("?app=slow").replace("\r\n\r\n", "\r\nLast-Event-ID: " + first + "\r\n\r\n");
      socket.getOutputStream().write(again.getBytes(StandardCharsets.US_ASCII));
      String begun =
          new String(socket.getInputStream().readNBytes(2_000), StandardCharsets.US_ASCII);
      assertThat(begun).contains("id: ").doesNotContain("stream.reset");
    }
  }

  /** Nothing of a stream is left, and no more connections than there were. */
  private void settled(int connections) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              assertThat(gauge("slipway_streams{kind=\"events\"}")).as("open streams").isZero();
              if (connections > 0) {
                assertThat(gauge("slipway_http_connections"))
                    .as("connections")
                    .isLessThanOrEqualTo(connections);
              }
            });
  }

  private int gauge(String name) {
    String metrics = running.asNobody().get("/metrics").expect(200).body();
    Matcher value = Pattern.compile("(?m)^" + Pattern.quote(name) + " ([0-9.]+)$").matcher(metrics);
    assertThat(value.find()).as(name).isTrue();
    return (int) Double.parseDouble(value.group(1));
  }

  /** Of all threads, virtual ones too. */
  private long stackFrames(String method) throws IOException {
    Path dump = directory.resolve("threads-" + dumps++ + ".txt");
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(
            dump.toAbsolutePath().toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
    return Files.readAllLines(dump).stream().filter(line -> line.contains(method)).count();
  }
}
