package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.MigratedDatabase;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs whose id a stored run has. */
class RunInsertTest {
  private static final SecretBox BOX = new SecretBox(new byte[32]);

  private Database database;

  @BeforeEach
  void open() {
    database = MigratedDatabase.open();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void a_run_that_a_run_has_made_before_stays_as_it_is() {
    NewRun maker = RunFixture.run();
    UUID id = UUID.randomUUID();
    insert(List.of(maker, child(id, maker, "first")));
    insert(List.of(child(id, maker, "second")));
    assertThat(texts("SELECT created_by FROM runs WHERE kind = 'child'")).containsExactly("first");
  }

  @Test
  void any_other_run_is_refused_together_with_those_beside_it() {
    NewRun run = RunFixture.run();
    insert(List.of(run));
    assertThatThrownBy(() -> insert(List.of(RunFixture.run(), run)))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("cannot store new runs")
        .hasMessageContaining("runs_pkey");
    assertThat(texts("SELECT id::text FROM runs")).containsExactly(run.id().toString());
  }

  private static NewRun child(UUID id, NewRun maker, String createdBy) {
    return new NewRun(
        id,
        NewRun.Kind.CHILD,
        maker.definition(),
        maker.operation(),
        maker.subject(),
        maker.tenancy(),
        NewRun.Origin.of(maker.id()),
        maker.inputs(),
        new NewRun.Creation(createdBy, maker.creation().at()),
        null);
  }

  private void insert(List<NewRun> runs) {
    database.jdbi().useTransaction(h -> RunInsert.insert(h, BOX, runs));
  }

  private List<String> texts(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(String.class).list());
  }
}
