package dev.slipway.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.runs.FollowedLogs;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.Test;

class FollowedStepsTest {
  @Test
  void the_database_is_asked_once_for_all_readers_of_all_steps() throws Exception {
    TestDatabase fresh = TestPostgres.freshDatabase();
    AtomicInteger queries = new AtomicInteger();
    try (Database database =
            Database.open(
                new Database.Address(fresh.jdbcUrl(), fresh.user(), fresh.password()), 4);
        FollowedSteps steps =
            new FollowedSteps(new FollowedLogs(database.jdbi()), Threads.OF_MACHINE)) {
      database
          .jdbi()
          .setSqlLogger(
              new SqlLogger() {
                @Override
                public void logAfterExecution(StatementContext context) {
                  queries.incrementAndGet();
                }
              });
      List<FollowedSteps.Reader> readers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        readers.add(steps.follow(new FollowedLogs.Step(new UUID(0, i % 10), "step")));
      }
      assertThat(steps.steps()).isEqualTo(10);
      int before = queries.get();
      for (FollowedSteps.Reader reader : readers) {
        FollowedSteps.Seen seen =
            reader.await(
                new FollowedSteps.Seen(0, FollowedLogs.State.RUNNING), Duration.ofMinutes(1));
        assertThat(seen.state()).as("there is no such run").isEqualTo(FollowedLogs.State.ENDED);
      }
      assertThat(queries.get() - before).as("queries for 200 readers").isLessThan(20);
      readers.forEach(FollowedSteps.Reader::close);
      assertThat(steps.steps()).isZero();
    }
  }
}
