package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.slipway.testbed.PostgresVersion;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server on each supported PostgreSQL, and on one that is too old. */
@Tag("proof")
class PostgresVersionsTest {
  @TempDir Path data;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "V14")
  void an_application_becomes_active_and_goes_again(PostgresVersion version) {
    TestDatabase database = TestPostgres.freshDatabase(version);
    try (Running running = new Running(database, data, Optional.empty())) {
      running.asNobody().get("/ready").expect(200);
      String dora = running.member("dora", "red", "developer");
      running.as(dora).yaml("/api/specs", ApplicationTest.score("shop")).expect(201);
      await(() -> assertThat(shop(running, dora).json()).containsEntry("state", "active"));
      assertThat(running.as(dora).get("/api/workflows?app=shop").expect(200).body())
          .contains("succeeded");
      running.as(dora).delete("/api/applications/shop?confirm=shop").expect(202);
      await(() -> shop(running, dora).expect(404));
    }
  }

  private static Running.Reply shop(Running running, String caller) {
    return running.as(caller).get("/api/applications/shop");
  }

  private static void await(ThrowingRunnable assertion) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion);
  }

  @Test
  void a_server_that_is_too_old_is_refused_with_both_versions_before_anything_is_written()
      throws SQLException {
    TestDatabase database = TestPostgres.freshDatabase(PostgresVersion.V14);

    assertThatThrownBy(() -> new Running(database, data, Optional.empty()).close())
        .asInstanceOf(type(StartFailure.class))
        .satisfies(
            failure -> {
              assertThat(failure.exitCode()).isEqualTo(1);
              assertThat(failure)
                  .hasMessageContaining("is PostgreSQL 14.")
                  .hasMessageContaining("Slipway needs 15 or newer")
                  .hasMessageContaining("Upgrade that server");
            });
    try (Connection c = UpgradeFixture.connect(database)) {
      assertThat(
              UpgradeFixture.strings(
                  c, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
          .isEmpty();
    }
  }
}
