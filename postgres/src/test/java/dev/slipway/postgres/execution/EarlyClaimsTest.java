package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.runs.RunInsert;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs that are claimed by the transaction that makes them. */
class EarlyClaimsTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** Its dispatcher has looked at the queue once. */
  private Bench.Replica claimingEarly(String name, int runs) {
    Bench.Replica replica = bench.replica(name, s -> s.withRuns(runs, 100));
    replica.runs.claimEarly(replica.dispatcher.earlyClaims());
    Awaitility.await("the queue was looked at")
        .until(
            () -> {
              var room = replica.dispatcher.earlyClaims().reserve(1);
              room.ifPresent(r -> r.release());
              return room.isPresent();
            });
    return replica;
  }

  private String text(String column, UUID run) {
    return bench.text("SELECT (" + column + ")::text FROM runs WHERE id = ?", run);
  }

  @Test
  void a_run_is_born_with_its_owner_and_comes_to_its_end_in_its_first_epoch() {
    Bench.Replica replica = claimingEarly("a", 10);
    UUID run = bench.start(replica, "- {name: one, type: probe}");
    bench.awaitState(run, "succeeded");
    assertThat(text("epoch", run)).isEqualTo("1");
    assertThat(text("deadline_at - started_at", run)).isEqualTo("00:30:00");
  }

  @Test
  void what_the_transaction_writes_after_the_insert_is_what_the_worker_sees() {
    Bench.Replica replica = claimingEarly("a", 10);
    NewRun run = bench.run("- {name: one, type: probe}");
    bench
        .database
        .jdbi()
        .useTransaction(
            h -> {
              EventLog.append(h, RunInsert.insert(h, bench.box, List.of(run)));
              assertThat(
                      h.createQuery("SELECT owner FROM runs WHERE id = ?")
                          .bind(0, run.id())
                          .mapTo(String.class)
                          .one())
                  .isEqualTo(replica.owner.text());
              h.execute("UPDATE runs SET cancel = 'requested' WHERE id = ?", run.id());
            });
    bench.awaitState(run.id(), "cancelled");
  }

  @Test
  void runs_beyond_the_room_of_the_replica_wait_in_the_queue() {
    Bench.Replica replica = claimingEarly("a", 2);
    List<NewRun> runs =
        Stream.generate(() -> bench.run("- {name: one, type: probe}")).limit(5).toList();
    bench
        .database
        .jdbi()
        .useTransaction(
            h -> {
              EventLog.append(h, RunInsert.insert(h, bench.box, runs));
              assertThat(
                      h.createQuery("SELECT count(*) FROM runs WHERE owner IS NOT NULL")
                          .mapTo(Integer.class)
                          .one())
                  .isEqualTo(2);
              assertThat(replica.dispatcher.earlyClaims().reserve(1)).isEmpty();
            });
    runs.forEach(run -> bench.awaitState(run.id(), "succeeded"));
  }

  @Test
  void a_transaction_that_fails_leaves_its_room_to_others() {
    Bench.Replica replica = claimingEarly("a", 1);
    assertThatThrownBy(
            () ->
                bench
                    .database
                    .jdbi()
                    .useTransaction(
                        h -> {
                          RunInsert.insert(
                              h, bench.box, List.of(bench.run("- {name: one, type: probe}")));
                          throw new IllegalStateException("the caller changed its mind");
                        }))
        .hasMessageContaining("changed its mind");
    assertThat(replica.dispatcher.earlyClaims().reserve(1)).isPresent();
  }

  /** As after a crash between commit and hand-over: no worker has the run. */
  @Test
  void a_run_that_was_never_handed_over_goes_on_elsewhere_when_its_lease_has_ended() {
    Bench.Replica other = bench.replica("b");
    NewRun run = bench.run("- {name: one, type: probe}");
    bench
        .database
        .jdbi()
        .useTransaction(
            h -> {
              RunInsert.insert(h, bench.box, List.of(run));
              h.execute(
                  "UPDATE runs SET owner = 'dead/1', epoch = 1, state = 'running',"
                      + " started_at = created_at, claimable_at = ? WHERE id = ?",
                  bench.clock.instant().plus(Bench.LEASE),
                  run.id());
            });
    bench.turn(Bench.LEASE.plusSeconds(1));
    other.dispatcher.signal();
    bench.awaitState(run.id(), "succeeded");
    assertThat(text("epoch", run.id())).isEqualTo("2");
  }

  @Test
  void a_replica_that_stops_claims_nothing_early() {
    Bench.Replica replica = claimingEarly("a", 10);
    replica.dispatcher.close();
    assertThat(replica.dispatcher.earlyClaims().reserve(1)).isEmpty();
  }
}
