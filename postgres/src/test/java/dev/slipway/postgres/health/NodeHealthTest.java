package dev.slipway.postgres.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Stale;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.health.GateWaits.Waiter;
import dev.slipway.postgres.health.NodeHealth.Change;
import dev.slipway.postgres.health.NodeHealth.Past;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeHealthTest {
  private static final Instant T = Instant.parse("2026-03-01T10:00:00Z");
  private static final NodeRef NODE = new NodeRef("thing", "one", "default");
  private static final Waiter WAITER = new Waiter("stack", "shop", Optional.of("app:orders"));

  private final Database database = MigratedDatabase.open();

  @AfterEach
  void close() {
    database.close();
  }

  private static Sample sample(NodeRef node, Health health, long second) {
    return new Sample(
        node,
        health,
        T.plusSeconds(second),
        Optional.of("a"),
        "7",
        List.of(),
        "as " + health.text(),
        "read");
  }

  private List<Change> write(Sample... samples) throws SQLException {
    return database.jdbi().inTransaction(tx -> NodeHealth.write(tx, List.of(samples)));
  }

  private List<Change> look(Health health, long second) throws SQLException {
    return write(sample(NODE, health, second));
  }

  private Optional<Observation> known() throws SQLException {
    return database
        .jdbi()
        .withHandle(h -> Optional.ofNullable(NodeHealth.find(h, List.of(NODE)).get(NODE)));
  }

  private List<Health> history() {
    return database.jdbi().withHandle(h -> NodeHealth.history(h, NODE, 50)).stream()
        .map(Past::health)
        .toList();
  }

  private List<String> signals() {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT kind || ' ' || key || ' ' || item FROM signals ORDER BY id")
                    .mapTo(String.class)
                    .list());
  }

  @Test
  void the_first_sample_is_kept_as_it_was() throws Exception {
    Sample stale =
        new Sample(
            NODE,
            Health.PROGRESSING,
            T,
            Optional.empty(),
            "7",
            List.of(new Stale("observedGeneration", "4", "3")),
            "1 of 3 ready",
            "Deployment");
    assertThat(write(stale))
        .containsExactly(new Change(Optional.empty(), Observation.first(stale)));
    assertThat(known()).contains(Observation.first(stale));
  }

  @Test
  void an_older_sample_never_overwrites_a_newer_one() throws Exception {
    look(Health.DEGRADED, 10);
    assertThat(look(Health.HEALTHY, 9)).isEmpty();
    assertThat(look(Health.HEALTHY, 10)).isEmpty();
    assertThat(known().orElseThrow().sample().health()).isEqualTo(Health.DEGRADED);
    assertThat(history()).containsExactly(Health.DEGRADED);
  }

  @Test
  void an_unchanged_sample_is_written_after_a_minute_and_changes_no_history() throws Exception {
    look(Health.HEALTHY, 0);
    assertThat(look(Health.HEALTHY, 59)).isEmpty();
    assertThat(known().orElseThrow().sample().at()).isEqualTo(T);
    assertThat(look(Health.HEALTHY, 60)).isEmpty();
    assertThat(known().orElseThrow().sample().at()).isEqualTo(T.plusSeconds(60));
    assertThat(known().orElseThrow().since()).isEqualTo(T);
    assertThat(history()).containsExactly(Health.HEALTHY);
  }

  @Test
  void a_change_adds_history_newest_first() throws Exception {
    look(Health.HEALTHY, 0);
    assertThat(look(Health.MISSING, 5))
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.before()).contains(Health.HEALTHY);
              assertThat(change.now().since()).isEqualTo(T.plusSeconds(5));
              assertThat(change.now().seen()).isTrue();
            });
    assertThat(history()).containsExactly(Health.MISSING, Health.HEALTHY);
  }

  @Test
  void keys_that_wait_are_signalled_with_each_sample_at_most_once_a_second() throws Exception {
    database.jdbi().useTransaction(tx -> GateWaits.open(tx, NODE, WAITER));
    database.jdbi().useTransaction(tx -> GateWaits.open(tx, NODE, WAITER));
    look(Health.PROGRESSING, 0);
    look(Health.PROGRESSING, 1);
    write(
        new Sample(
            NODE,
            Health.PROGRESSING,
            T.plusMillis(1500),
            Optional.of("a"),
            "7",
            List.of(),
            "as Progressing",
            "read"));
    assertThat(signals()).containsExactly("stack shop app:orders", "stack shop app:orders");
    assertThat(known().orElseThrow().sample().at()).isEqualTo(T.plusSeconds(1));
  }

  @Test
  void a_closed_gate_is_not_signalled() throws Exception {
    database.jdbi().useTransaction(tx -> GateWaits.open(tx, NODE, WAITER));
    database.jdbi().useTransaction(tx -> GateWaits.close(tx, NODE, WAITER));
    look(Health.HEALTHY, 0);
    assertThat(signals()).isEmpty();
  }

  @Test
  void the_key_that_decides_in_the_same_transaction_is_not_signalled() throws Exception {
    Waiter other = new Waiter("stack", "blog", Optional.empty());
    database
        .jdbi()
        .useTransaction(
            tx ->
                GateWaits.open(
                    tx,
                    List.of(new GateWaits.Wait(NODE, WAITER), new GateWaits.Wait(NODE, other))));
    database
        .jdbi()
        .inTransaction(
            tx ->
                NodeHealth.write(
                    tx,
                    List.of(sample(NODE, Health.HEALTHY, 1)),
                    Optional.of(new GateWaits.Key("stack", "shop"))));
    List<String> signalled =
        database
            .jdbi()
            .withHandle(h -> h.createQuery("SELECT key FROM signals").mapTo(String.class).list());
    assertThat(signalled).containsExactly("blog");
  }

  @Test
  void of_several_samples_of_one_node_the_newest_counts() throws Exception {
    write(
        sample(NODE, Health.HEALTHY, 3),
        sample(NODE, Health.DEGRADED, 4),
        sample(NODE, Health.HEALTHY, 2));
    assertThat(known().orElseThrow().sample().health()).isEqualTo(Health.DEGRADED);
    assertThat(history()).containsExactly(Health.DEGRADED);
  }

  @Test
  void of_two_transactions_with_a_first_sample_the_newer_one_wins() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<Change>> older =
          database
              .jdbi()
              .inTransaction(
                  tx -> {
                    NodeHealth.write(tx, List.of(sample(NODE, Health.HEALTHY, 9)));
                    Future<List<Change>> begun =
                        other.submit(
                            () -> {
                              written.countDown();
                              return look(Health.DEGRADED, 3);
                            });
                    written.await();
                    return begun;
                  });
      assertThat(older.get()).isEmpty();
    }
    assertThat(known().orElseThrow().sample().health()).isEqualTo(Health.HEALTHY);
    assertThat(history()).containsExactly(Health.HEALTHY);
  }

  @Test
  void a_thousand_samples_are_written_in_one_go() throws Exception {
    List<Sample> samples =
        IntStream.range(0, 1000)
            .mapToObj(i -> sample(new NodeRef("thing", "n" + i, "default"), Health.HEALTHY, i))
            .toList();
    List<Change> changes = database.jdbi().inTransaction(tx -> NodeHealth.write(tx, samples));
    assertThat(changes).hasSize(1000);
  }

  @Test
  void nodes_that_are_gone_are_forgotten_and_their_history_stays() throws Exception {
    look(Health.HEALTHY, 0);
    database.jdbi().useTransaction(tx -> NodeHealth.forget(tx, List.of(NODE)));
    assertThat(known()).isEmpty();
    assertThat(history()).hasSize(1);
  }
}
