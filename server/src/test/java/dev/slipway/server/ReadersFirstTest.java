package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Changes that wait for the database leave connections to those who look, and to those who cancel.
 */
class ReadersFirstTest {
  private static final int CHANGES = 60;

  @Test
  void while_many_changes_wait_for_the_database_reading_and_cancelling_go_on() throws SQLException {
    try (Running running = new Running();
        ExecutorService callers = Executors.newFixedThreadPool(CHANGES)) {
      List<CompletableFuture<Integer>> inside;
      try (Connection blocker = UpgradeFixture.connect(running.database);
          Statement s = blocker.createStatement()) {
        blocker.setAutoCommit(false);
        s.execute("LOCK TABLE teams IN EXCLUSIVE MODE");
        inside =
            IntStream.range(0, CHANGES)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> team(running, i), callers))
                .toList();
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> waiting(blocker) >= SlipwayServer.CONNECTIONS_OF_WRITERS);
        for (int i = 0; i < 20; i++) {
          running.asAdmin().get("/api/applications").expect(200);
          running.asAdmin().get("/api/workflows").expect(200);
        }
        String nothing = "/api/workflows/" + new UUID(0, 0);
        running.asAdmin().post(nothing + "/cancel", "").expect(404);
        assertThat(waiting(blocker)).isEqualTo(SlipwayServer.CONNECTIONS_OF_WRITERS);
        blocker.rollback();
      }
      // A request that waited too long is answered 503; no request fails in another way.
      assertThat(inside).allSatisfy(answer -> assertThat(answer.join()).isIn(201, 503));
    }
  }

  private static int team(Running running, int number) {
    return running
        .asAdmin()
        .post("/api/teams", "{\"name\":\"team-%d\"}".formatted(number))
        .status();
  }

  private static int waiting(Connection blocker) throws SQLException {
    return UpgradeFixture.strings(
            blocker, "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'teams'::regclass")
        .size();
  }
}
