package dev.slipway.postgres.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NotificationsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void whoever_listens_knows_how_many_others_do() {
    try (Database database = MigratedDatabase.open();
        Notifications first = new Notifications(database)) {
      assertThat(first.others()).isZero();
      try (Notifications second = new Notifications(database)) {
        await().atMost(PATIENCE).until(() -> first.others() == 1 && second.others() == 1);
      }
      await().atMost(PATIENCE).until(() -> first.others() == 0);
    }
  }
}
