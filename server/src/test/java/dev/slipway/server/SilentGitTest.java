package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that wait for a Git server which says nothing. */
class SilentGitTest {
  private static final int IMPATIENT = 16;

  @TempDir Path directory;

  @Test
  void those_who_wait_for_a_silent_git_server_keep_no_change_out() throws IOException {
    try (ExecutorService callers = Executors.newFixedThreadPool(IMPATIENT);
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Running running = new Running(Optional.of(config(silent.getLocalPort())))) {
      List<CompletableFuture<Running.Reply>> refreshes =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> refresh(running), callers))
              .limit(IMPATIENT)
              .toList();
      // A call is refused when as many calls as may wait at a time are waiting.
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> refreshes.stream().anyMatch(CompletableFuture::isDone));
      running.asAdmin().post("/api/teams", "{\"name\":\"calm\"}").expect(201);
      assertThat(refreshes).anyMatch(refresh -> !refresh.isDone());
      silent.close();
      assertThat(refreshes)
          .allSatisfy(refresh -> assertThat(refresh.join().status()).isIn(409, 503))
          .anySatisfy(refresh -> assertThat(refresh.join().body()).contains("server-busy"));
    }
  }

  private static Running.Reply refresh(Running running) {
    return running.asAdmin().post("/api/providers/quiet/refresh", "");
  }

  private Path config(int port) throws IOException {
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        """
        providers:
          - {source: git, name: quiet, url: 'http://127.0.0.1:%d/quiet.git', branch: main, pollInterval: 1h}
        """
            .formatted(port));
  }
}
