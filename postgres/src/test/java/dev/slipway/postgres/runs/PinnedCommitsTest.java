package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import java.util.List;
import org.junit.jupiter.api.Test;

class PinnedCommitsTest {
  private static final String OWN = "a".repeat(40);
  private static final String CALLED = "b".repeat(40);

  @Test
  void commits_of_runs_that_go_on_or_may_be_tried_again_are_needed_with_what_they_call() {
    try (Database database = MigratedDatabase.open();
        Notifications notifications = new Notifications(database);
        PostgresRuns runs =
            new PostgresRuns(database, notifications, new SecretBox(new byte[32]))) {
      PinnedCommits pinned = new PinnedCommits(database.jdbi());
      runs.insert(List.of(RunFixture.run()));
      assertThat(pinned.now()).as("a provider of a directory").isEmpty();

      String body =
          "{\"commit\":\"%s\",\"library\":{\"other/x\":{\"commit\": \"%s\"}}}"
              .formatted(OWN, CALLED);
      database
          .jdbi()
          .useHandle(
              h -> {
                h.execute("INSERT INTO definitions VALUES ('of-git', ?::json, now())", body);
                h.execute("UPDATE runs SET definition_hash = 'of-git'");
              });
      assertThat(pinned.now()).containsExactlyInAnyOrder(OWN, CALLED);

      assertThat(pinned.later()).isEmpty();

      for (String state : List.of("failed", "partial", "cancelled")) {
        database.jdbi().useHandle(h -> h.execute("UPDATE runs SET state = ?", state));
        assertThat(pinned.now()).as(state).isEmpty();
        assertThat(pinned.later()).as(state).containsExactlyInAnyOrder(OWN, CALLED);
      }

      database.jdbi().useHandle(h -> h.execute("UPDATE runs SET state = 'succeeded'"));
      assertThat(pinned.now()).isEmpty();
      assertThat(pinned.later()).isEmpty();
    }
  }
}
