package dev.slipway.postgres.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class NotificationsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void what_only_a_newer_version_understands_is_passed_over() {
    try (Database database = MigratedDatabase.open();
        Notifications notifications = new Notifications(database)) {
      BlockingQueue<String> received = new LinkedBlockingQueue<>();
      notifications.subscribe(Topic.RUNS, received::add);
      await().atMost(PATIENCE).until(() -> "".equals(received.poll())); // it listens
      database
          .jdbi()
          .useHandle(
              h -> {
                h.execute("NOTIFY slipway, 'weather:rain'");
                h.execute("NOTIFY slipway, 'runs'");
                h.execute("NOTIFY slipway, 'runs:one'");
              });
      await().atMost(PATIENCE).until(() -> "one".equals(received.poll()));
    }
  }

  @Test
  void every_listener_sees_the_number_of_other_listeners() {
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
