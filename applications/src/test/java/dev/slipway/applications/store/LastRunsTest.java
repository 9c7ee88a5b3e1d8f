package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.Database;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which ended runs stay because of an application or a resource. */
class LastRunsTest {
  private static final UUID OWNER = UUID.randomUUID();
  private static final UUID LIVING = UUID.randomUUID();
  private static final UUID GONE = UUID.randomUUID();

  private final LastRuns lastRuns = new LastRuns();

  @Test
  void the_last_run_of_a_resource_the_one_in_charge_and_checks_of_open_deployments_stay() {
    try (Database database = MigratedDatabase.open()) {
      database
          .jdbi()
          .useHandle(
              h -> {
                application(h);
                resource(h, 2);
                UUID open = deployment(h, "running");
                UUID closed = deployment(h, "completed");
                run(h, 1, LIVING, null);
                run(h, 2, LIVING, null);
                run(h, 3, LIVING, null);
                run(h, 4, GONE, null);
                run(h, 5, null, open);
                run(h, 6, null, closed);
                List<UUID> all = List.of(id(1), id(2), id(3), id(4), id(5), id(6));
                assertThat(lastRuns.among(h, all)).containsExactlyInAnyOrder(id(2), id(3), id(5));
                assertThat(lastRuns.among(h, List.of(id(1), id(4), id(6)))).isEmpty();
              });
    }
  }

  @Test
  void only_the_run_in_charge_of_a_resource_that_failed_is_its_last_one() {
    try (Database database = MigratedDatabase.open()) {
      database
          .jdbi()
          .useHandle(
              h -> {
                application(h);
                resource(h, 2);
                assertThat(lastRuns.holds(h, LIVING, id(2))).isFalse();
                h.execute("UPDATE resources SET state = 'failed'");
                assertThat(lastRuns.holds(h, LIVING, id(2))).isTrue();
                assertThat(lastRuns.holds(h, LIVING, id(3))).isFalse();
                assertThat(lastRuns.holds(h, GONE, id(2))).isFalse();
              });
    }
  }

  private static UUID id(int number) {
    return new UUID(0x7000, number);
  }

  private static void run(
      Handle h, int number, @Nullable UUID resource, @Nullable UUID deployment) {
    h.createUpdate(
            """
            INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team,
                              inputs, state, created_by, created_at, finished_at, application_id,
                              application, resource_id, deployment_id)
            VALUES (:id, 'resource', 'd', 'tools', 'quick', 'default', 'red', '{}', 'succeeded',
                    'dora', now(), now(), :owner, 'shop', :resource, :deployment)
            """)
        .bind("id", id(number))
        .bind("owner", OWNER)
        .bindByType("resource", resource, UUID.class)
        .bindByType("deployment", deployment, UUID.class)
        .execute();
  }

  private static void application(Handle h) {
    h.execute(
        "INSERT INTO applications (id, environment, name, team, revision, state, created_by,"
            + " created_at, updated_at) VALUES (?, 'default', 'shop', 'red', 1, 'active', 'dora',"
            + " now(), now())",
        OWNER);
  }

  private static void resource(Handle h, int inCharge) {
    h.execute(
        "INSERT INTO resources (id, environment, identity, type, class, owner_id, name,"
            + " defined_by, team, desired_hash, state, state_since, created_at, updated_at, run_id)"
            + " VALUES (?, 'default', 'db', 'db', 'default', ?, 'db', ?, 'red', 'h', 'active',"
            + " now(), now(), now(), ?)",
        LIVING,
        OWNER,
        OWNER,
        id(inCharge));
  }

  private static UUID deployment(Handle h, String status) {
    UUID id = UUID.randomUUID();
    h.execute(
        "INSERT INTO deployments (id, application_id, revision, kind, status, plan_hash,"
            + " created_by, created_at) VALUES (?, ?, 1, 'deploy', ?, 'p', 'dora', now())",
        id,
        OWNER,
        status);
    return id;
  }
}
