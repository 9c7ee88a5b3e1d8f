package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SlowDatabaseTest {
  @Test
  void with_a_slow_database_everything_is_slow_and_nothing_fails() {
    TestDatabase near = TestPostgres.freshDatabase();
    try (PostgresProxy proxy = PostgresProxy.of(near);
        Running running = new Running(proxy.through(near), Running.temporary(), Optional.empty())) {
      String dora = running.member("dora", "red", "developer");
      proxy.slow(Duration.ofMillis(30));
      running.as(dora).yaml("/api/specs", ApplicationTest.score("slow")).expect(201);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(running.as(dora).get("/api/applications/slow").expect(200).json())
                      .containsEntry("state", "active"));
      assertThat(running.asNobody().get("/ready").expect(200).json()).containsEntry("ready", true);
      assertThat(running.asNobody().get("/metrics").expect(200).body())
          .contains("\nslipway_leases_lost_total 0.0\n")
          .contains("\nslipway_fenced_writes_total 0.0\n");
      assertThat(running.as(dora).get("/api/workflows?app=slow").expect(200).json())
          .containsEntry("total", 1L);
      proxy.slow(Duration.ZERO);
    }
  }
}
