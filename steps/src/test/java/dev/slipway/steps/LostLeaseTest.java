package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.engine.workflow.RenderedSql;
import dev.slipway.steps.sql.SqlConnections;
import dev.slipway.steps.sql.SqlExecutor;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that was suspended before an effect checks the lease of the run again. */
@Timeout(180)
class LostLeaseTest {
  @TempDir Path directory;
  private final Lines log = new Lines();
  private final AtomicInteger asked = new AtomicInteger();

  /** A lease that has ended at the nth check. */
  private RunLease endingAt(int nth) {
    return () -> {
      if (asked.incrementAndGet() >= nth) {
        throw new InterruptedException("the lease has ended");
      }
    };
  }

  private void stops(StepExecutor executor, StepCall call) {
    assertThatThrownBy(() -> executor.execute(call)).isInstanceOf(InterruptedException.class);
  }

  @Test
  void a_script_that_waits_to_be_begun_is_not_begun() {
    Path effect = directory.resolve("effect");
    Map<String, Object> config =
        Map.of("script", new RenderedScript("touch " + effect, Map.of()), "stdin", "text\n");
    StepCall call = Calls.of("shell", config, log);
    Map<String, Boolean> waiting = new ConcurrentHashMap<>();
    RunLease lost =
        () -> {
          // At the last check its process exists already.
          waiting.put("process", marked(call.key()) > 0);
          throw new InterruptedException("the lease has ended");
        };

    stops(
        new ShellExecutor(
            directory,
            ProgramPath.ofThisProcess(),
            () -> ProcessLimits.DEFAULT,
            InstantSource.system()),
        Calls.leased(lost, call));

    assertThat(waiting).containsEntry("process", true);
    assertThat(marked(call.key())).isZero();
    assertThat(effect).doesNotExist();
  }

  private static long marked(String key) {
    return ProcessHandle.allProcesses().filter(p -> environment(p).contains(key)).count();
  }

  private static String environment(ProcessHandle process) {
    try {
      return Files.readString(
          Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void nothing_is_sent_over_a_connection_that_took_longer_than_the_lease() throws Exception {
    try (Listener listener = new Listener()) {
      RunLease lost =
          () -> {
            await().until(listener.accepted::isDone);
            throw new InterruptedException("the lease has ended");
          };
      for (Map<String, Object> more : List.<Map<String, Object>>of(Map.of(), Map.of("body", "x"))) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("url", listener.url());
        config.put("method", "POST");
        stops(
            new HttpExecutor(InstantSource.system(), new HostRules()),
            Calls.leased(lost, Calls.of("http", config, log)));
      }
      assertThat(listener.received()).isEmpty();
    }
  }

  @Test
  void a_body_is_not_sent_after_the_lease() throws Exception {
    try (Listener listener = new Listener()) {
      Map<String, Object> config = Map.of("url", listener.url(), "body", "the-whole-effect");
      stops(
          new HttpExecutor(InstantSource.system(), new HostRules()),
          Calls.leased(endingAt(2), Calls.of("http", config, log)));
      assertThat(listener.received()).doesNotContain("the-whole-effect");
    }
  }

  /** Accepts connections, records what it receives and never answers. */
  private static final class Listener implements AutoCloseable {
    final CompletableFuture<Void> accepted = new CompletableFuture<>();
    private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final StringBuffer received = new StringBuffer();
    private final Thread thread = Thread.startVirtualThread(this::listen);

    Listener() throws IOException {}

    String url() {
      return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    private void listen() {
      while (!server.isClosed()) {
        try (Socket socket = server.accept()) {
          accepted.complete(null);
          byte[] bytes = socket.getInputStream().readAllBytes();
          received.append(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
          // A connection that was reset sends nothing more.
        }
      }
    }

    /** All that was received, after all connections are closed. */
    String received() throws Exception {
      close();
      thread.join();
      return received.toString();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  @Test
  void a_transaction_is_not_committed_after_the_lease() throws InterruptedException {
    TestDatabase database = TestPostgres.freshDatabase();
    SqlExecutor sql =
        new SqlExecutor(
            () ->
                new SqlConnections(
                    Map.of(
                        "pg",
                        new SqlConnections.Target(
                            database.jdbcUrl(), database.user(), database.password())),
                    Optional.empty()),
            InstantSource.system());
    Map<String, Object> config =
        Map.of(
            "connection",
            "pg",
            "statements",
            List.of(new RenderedSql("CREATE TABLE effect ()", List.of())));

    stops(sql, Calls.leased(endingAt(2), Calls.of("sql", config, log)));
    assertThat(asked).hasValue(2);
    // The new owner of the run is not blocked by locks of the old one.
    assertThat(sql.execute(Calls.of("sql", config, log)))
        .isInstanceOf(StepExecutor.Result.Succeeded.class);
  }
}
