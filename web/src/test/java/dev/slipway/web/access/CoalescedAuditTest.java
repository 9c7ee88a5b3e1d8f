package dev.slipway.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoalescedAuditTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

  private Database database;
  private AuditLog log;
  private CoalescedAudit audit;

  @BeforeEach
  void start() {
    TestDatabase fresh = TestPostgres.freshDatabase();
    database =
        Database.open(new Database.Address(fresh.jdbcUrl(), fresh.user(), fresh.password()), 4);
    log = new AuditLog(database.jdbi());
    audit = new CoalescedAudit(log, InstantSource.fixed(NOW), Threads.OF_MACHINE);
  }

  @AfterEach
  void stop() {
    audit.close();
    database.close();
  }

  private void refused(String caller, String kind) {
    audit.add(
        caller,
        kind,
        new AuditLog.Entry(0, NOW, "mia", kind, "/x", null, "refused", Map.of("status", 403L)));
  }

  private List<AuditLog.Entry> entries() {
    return log.list(new AuditLog.Filter(null, null, null), null, 10_000).data();
  }

  @Test
  void the_first_is_written_at_once_and_the_others_as_a_number_when_the_minute_is_over() {
    for (int i = 0; i < 1_000; i++) {
      refused("mia", "createTeam");
    }
    assertThat(entries()).hasSize(1);
    audit.endWindowsBefore(NOW.minusMillis(1));
    assertThat(entries()).as("the minute is not over").hasSize(1);
    audit.endWindowsBefore(NOW);
    assertThat(entries()).hasSize(2);
    assertThat(entries().getFirst().detail()).containsEntry("repeated", 999L);
    refused("mia", "createTeam");
    assertThat(entries()).as("a new minute").hasSize(3);
  }

  @Test
  void one_caller_writes_few_entries_a_minute_whatever_it_tries() {
    for (int i = 0; i < 1_000; i++) {
      refused("mia", "operation" + i);
    }
    refused("max", "createTeam");
    int most = CoalescedAudit.KINDS_OF_A_CALLER + 1;
    assertThat(entries()).hasSize(most + 1);
    audit.endWindowsBefore(NOW);
    assertThat(entries()).as("and one number of those left out").hasSize(most + 2);
  }

  @Test
  void callers_that_come_from_everywhere_write_few_entries_a_minute_together() {
    for (int i = 0; i < 5_000; i++) {
      refused("address" + i, "useToken");
    }
    assertThat(entries()).hasSize(CoalescedAudit.KINDS_OF_ALL + 1);
  }

  @Test
  void what_was_counted_is_written_when_the_server_stops() {
    refused("mia", "createTeam");
    refused("mia", "createTeam");
    audit.close();
    assertThat(entries()).hasSize(2);
  }
}
