package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunLineageTest {
  @Test
  void runs_are_related_that_descend_from_one_run() {
    try (Database database = MigratedDatabase.open()) {
      UUID first = run(database, null);
      UUID child = run(database, first);
      UUID retry = run(database, first);
      UUID again = run(database, retry);
      UUID childOfAgain = run(database, again);
      UUID stranger = run(database, null);
      UUID strangersRetry = run(database, stranger);
      RunLineage lineage = new RunLineage(database.jdbi());
      for (UUID kin : new UUID[] {first, child, retry, again, childOfAgain}) {
        assertThat(lineage.related(childOfAgain, kin) || kin.equals(childOfAgain)).isTrue();
        assertThat(lineage.related(first, kin) || kin.equals(first)).isTrue();
        assertThat(lineage.related(stranger, kin)).isFalse();
        assertThat(lineage.related(kin, strangersRetry)).isFalse();
        assertThat(lineage.related(kin, UUID.randomUUID())).isFalse();
      }
      assertThat(lineage.related(UUID.randomUUID(), UUID.randomUUID())).isFalse();
    }
  }

  private static UUID run(Database database, @Nullable UUID parent) {
    UUID id = UUID.randomUUID();
    database
        .jdbi()
        .useHandle(
            h ->
                h.createUpdate(
                        """
                        INSERT INTO runs (id, kind, definition_hash, provider, workflow,
                                          environment, team, inputs, state, created_by,
                                          created_at, parent_run_id)
                        VALUES (:id, 'golden-path', 'd', 'tools', 'quick', 'default', 'red', '{}',
                                'failed', 'rosa', now(), :parent)
                        """)
                    .bind("id", id)
                    .bindByType("parent", parent, UUID.class)
                    .execute());
    return id;
  }
}
