package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.slipway.postgres.Database;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judge is judged: a good history passes, and each way to spoil it is found out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryTest {
  private static final String RUN = "00000000-0000-7000-8000-000000000003";

  /** An application with one resource, and its run of three steps that failed and was undone. */
  private static final String GOOD =
      """
      INSERT INTO environments (name, created_at, updated_at)
      VALUES ('default', now(), now()) ON CONFLICT DO NOTHING;
      INSERT INTO applications (id, environment, name, team, revision, state, created_by,
                                created_at, updated_at)
      VALUES ('00000000-0000-7000-8000-000000000001', 'default', 'shop', 'platform', 1, 'failed',
              'admin', now(), now());
      INSERT INTO resources (id, environment, identity, type, class, owner_id, name, defined_by,
                             team, desired_hash, state, state_since, created_at, updated_at)
      VALUES ('00000000-0000-7000-8000-000000000002', 'default', 'plain.default#shop.thing',
              'plain', 'default', '00000000-0000-7000-8000-000000000001', 'thing',
              '00000000-0000-7000-8000-000000000001', 'platform', '', 'failed', now(), now(),
              now());
      INSERT INTO resource_transitions (resource_id, incarnation, from_state, to_state, actor,
                                        reason, at)
      VALUES ('00000000-0000-7000-8000-000000000002', 1, NULL, 'requested', 'intake', '', now()),
             ('00000000-0000-7000-8000-000000000002', 1, 'requested', 'provisioning', 'engine', '',
              now()),
             ('00000000-0000-7000-8000-000000000002', 1, 'provisioning', 'failed', 'engine', '',
              now());
      INSERT INTO runs (id, kind, definition_hash, provider, workflow, application, environment,
                        team, inputs, state, created_by, created_at)
      VALUES ('%1$s', 'resource', '', 'yard', 'x', 'shop', 'default', 'platform', '{}', 'failed',
              'admin', now());
      INSERT INTO steps (run_id, name, state)
      VALUES ('%1$s', 'make', 'rolled-back'), ('%1$s', 'fail', 'failed'), ('%1$s', 'not', 'skipped');
      INSERT INTO events (type, application, source, at, data)
      SELECT type, 'shop', 'engine', now(), data::json FROM (VALUES
        ('step.completed', '{"runId": "%1$s", "step": "make"}'),
        ('step.failed', '{"runId": "%1$s", "step": "fail"}'),
        ('step.skipped', '{"runId": "%1$s", "step": "not"}'),
        ('step.rolled-back', '{"runId": "%1$s", "step": "make"}'),
        ('workflow.failed', '{"runId": "%1$s", "status": "failed"}')) AS appended (type, data);
      """
          .formatted(RUN);

  @TempDir static Path directory;
  private final TestDatabase database = TestPostgres.freshDatabase();
  private Yard yard;

  @BeforeAll
  void start() throws IOException {
    Database.open(new Database.Address(database.jdbcUrl(), database.user(), database.password()), 1)
        .close();
    try (Witness witness = new Witness()) {
      yard = new Yard(directory, database, witness);
    }
  }

  @AfterAll
  void stop() {
    yard.close();
  }

  @Test
  void a_good_history_passes() {
    assertThat(judged("")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM events WHERE type = 'workflow.failed'       | runs whose end was not appended",
        "UPDATE runs SET state = 'succeeded'                     | runs whose end was not appended",
        "DELETE FROM events WHERE type = 'step.completed'        | steps whose end was not appended",
        "DELETE FROM events WHERE type = 'step.failed'           | steps whose end was not appended",
        "DELETE FROM events WHERE type = 'step.skipped'          | steps whose end was not appended",
        "DELETE FROM events WHERE type = 'step.rolled-back'      | steps whose end was not appended",
        "UPDATE steps SET state = 'succeeded' WHERE name = 'not' | steps whose end was not appended",
        "UPDATE steps SET state = 'running' WHERE name = 'fail'  | steps that never ended",
        "UPDATE runs SET state = 'waiting'                       | runs that never ended",
        "UPDATE runs SET owner = 'a/1'                           | orphan leases",
        "UPDATE runs SET claimable_at = now()                    | orphan leases",
        "UPDATE resources SET state = 'active'                   | states of the resources",
        "DELETE FROM resource_transitions WHERE to_state = 'provisioning' | that do not follow",
        "INSERT INTO events (type, application, source, at, data) SELECT type, application, source,"
            + " at, data FROM events WHERE type = 'workflow.failed' | runs whose end was not appended",
        "INSERT INTO events (type, application, source, at, data) SELECT type, application, source,"
            + " at, data FROM events WHERE type = 'step.completed' | steps whose end was not appended"
      })
  void a_spoilt_history_is_found_out(String spoil, String found) {
    assertThat(judged(spoil)).isInstanceOf(AssertionError.class).hasMessageContaining(found);
  }

  /** In a transaction that is never committed. */
  private Throwable judged(String spoil) {
    yard.execute("BEGIN");
    try {
      yard.execute(GOOD + spoil);
      return catchThrowable(() -> History.check(yard, "shop", "failed"));
    } finally {
      yard.execute("ROLLBACK");
    }
  }
}
