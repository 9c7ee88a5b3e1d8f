package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.postgres.runs.RollbackRetries;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The last run of a resource is undone once more, while other requests come. */
class UndoingAgainTest {
  private static final String SHOP =
      """
      apiVersion: score.dev/v1b1
      metadata: {name: shop}
      containers: {web: {image: nginx}}
      resources: {db: {type: postgres, params: {size: %d}}}
      """;

  private final Yard yard = new Yard();
  private UUID failed;

  @BeforeEach
  void fail() {
    yard.reset(new TestProviders().full("acme", "postgres").registry());
    yard.broken.add("create db");
    yard.deploy(SHOP.formatted(1));
    ClaimedRun run = yard.claim().getFirst();
    failed = run.id();
    yard.end(yard.begin(run));
    yard.loop.advanceDue();
    UUID rollback = UUID.randomUUID();
    yard.runs.insert(List.of(rollback(run, rollback)));
    sql("UPDATE runs SET rollback = 'incomplete' WHERE id = '" + failed + "'");
    sql("UPDATE runs SET state = 'running' WHERE id = '" + rollback + "'");
    sql(
        "UPDATE runs SET state = 'partial', claimable_at = NULL, finished_at = now() WHERE id = '"
            + rollback
            + "'");
    yard.broken.clear();
  }

  @AfterEach
  void close() {
    yard.close();
  }

  @Test
  void nothing_begins_beside_it_and_what_was_asked_for_begins_afterwards() throws Exception {
    ClaimedRun again = retried();
    yard.deploy(SHOP.formatted(2));
    yard.loop.advanceDue();
    assertThat(yard.claim()).isEmpty();
    assertThat(yard.states()).containsEntry("db", "requested");
    assertThatThrownBy(this::retried).isInstanceOf(RefusedException.class);

    end(again);
    yard.settle();
    assertThat(yard.states()).containsEntry("db", "active");
    assertThat(yard.done).containsExactly("create db", "create db");
  }

  @Test
  void a_run_that_is_no_longer_the_last_of_its_resource_is_not_undone() {
    yard.deploy(SHOP.formatted(2));
    yard.settle();
    assertThatThrownBy(this::retried)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no longer the last one");
  }

  private ClaimedRun retried() {
    UUID id = UUID.randomUUID();
    new RollbackRetries(yard.database.jdbi(), Map.of("application", new LastRuns()))
        .retry(
            failed,
            last -> {
              yard.runs.insert(List.of(rollback(id, last.subject(), last.inputs())));
              return id;
            });
    return yard.claim().getFirst();
  }

  private NewRun rollback(ClaimedRun failed, UUID id) {
    NewRun.Undoing undoing = new NewRun.Undoing(List.of("make/drop"), Map.of(), Map.of());
    return rollback(id, failed.subject(), new NewRun.Inputs(Map.of(), Map.of(), Map.of(), undoing));
  }

  private NewRun rollback(UUID id, NewRun.Subject subject, NewRun.Inputs inputs) {
    return new NewRun(
        id,
        NewRun.Kind.ROLLBACK,
        yard.registry.providers().getFirst().definitions().values().iterator().next(),
        "create",
        subject,
        new NewRun.Tenancy("default", "shop-team"),
        NewRun.Origin.of(failed),
        inputs,
        new NewRun.Creation("ann", yard.clock.instant()),
        null);
  }

  private void end(ClaimedRun run) throws Exception {
    RunWrite write =
        new RunWrite(
            run.id(),
            run.fence(),
            run.version(),
            List.of(),
            List.of(),
            Optional.of(
                new RunWrite.RunChange(
                    RunState.SUCCEEDED,
                    new RunWrite.Hold.GiveBack(null, 0),
                    Map.of(),
                    Map.of(),
                    null,
                    null,
                    RunWrite.Deadline.RUNS)),
            Optional.empty(),
            new RunWrite.Others(List.of(), List.of(), Optional.of(failed)),
            List.of(),
            yard.clock.instant());
    assertThat(yard.runs.write(write).get(10, TimeUnit.SECONDS))
        .isEqualTo(RunStore.Outcome.WRITTEN);
  }

  private void sql(String sql) {
    yard.database.jdbi().useHandle(h -> h.execute(sql));
  }
}
