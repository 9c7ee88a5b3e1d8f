package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class StopTest {
  @Test
  void a_change_under_way_is_finished_before_the_server_has_stopped()
      throws SQLException, InterruptedException {
    try (Running running = new Running();
        Connection blocker = UpgradeFixture.connect(running.database);
        Statement s = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      s.execute("LOCK TABLE teams IN EXCLUSIVE MODE");
      CompletableFuture<Integer> change =
          CompletableFuture.supplyAsync(
              () -> running.asAdmin().post("/api/teams", "{\"name\":\"late\"}").status());
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !waiting(blocker).isEmpty());
      Thread stop = Thread.ofPlatform().start(running.server::close);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> waitsForCalls(stop));
      blocker.rollback();
      stop.join();
      assertThat(UpgradeFixture.strings(blocker, "SELECT name FROM teams")).contains("late");
      assertThat(change.join()).isEqualTo(201);
    }
  }

  private static List<String> waiting(Connection blocker) throws SQLException {
    return UpgradeFixture.strings(
        blocker, "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'teams'::regclass");
  }

  private static boolean waitsForCalls(Thread stop) {
    return Arrays.stream(stop.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("awaitTermination"));
  }
}
