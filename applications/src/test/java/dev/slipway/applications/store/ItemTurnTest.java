package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimedRun;
import java.sql.Connection;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Turns that look at what has changed, beside turns of the same life that look at everything. */
class ItemTurnTest {
  private static final Yard near = new Yard();
  private static final Yard whole = new Yard();

  private final Map<String, ClaimedRun> begun = new TreeMap<>();
  private final Map<String, ClaimedRun> begunWhole = new TreeMap<>();

  @AfterAll
  static void close() {
    near.close();
    whole.close();
  }

  @BeforeEach
  void reset() {
    near.reset(new TestProviders().full("acme", "service").registry());
    whole.reset(new TestProviders().full("acme", "service").registry());
  }

  private static String document(Random random, int size) {
    StringBuilder yaml =
        new StringBuilder(
            "apiVersion: score.dev/v1b1\nmetadata: {name: shop}\n"
                + "containers: {web: {image: nginx}}\nresources:\n  first: {type: service}\n");
    for (int i = 0; i < size; i++) {
      if (random.nextInt(5) == 0) {
        continue;
      }
      StringBuilder url = new StringBuilder("x");
      for (int on = 0; on < i; on++) {
        // Those that are left out are named by no other resource.
        if (random.nextInt(i) == 0 && yaml.indexOf("  r" + on + ": ") > 0) {
          url.append("${resources.r").append(on).append(".host}");
        }
      }
      yaml.append(
          "  r%d: {type: service, params: {size: %d, url: \"%s\"}}%n"
              .formatted(i, random.nextInt(2), url));
    }
    return yaml.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 10})
  void they_come_to_the_same_states_and_the_same_runs(int seed) {
    Random random = new Random(seed);
    int size = 4 + random.nextInt(24);
    deploy(document(random, size));
    for (int turn = 0; turn < 24; turn++) {
      switch (random.nextInt(14)) {
        case 0 -> deploy(document(random, size));
        case 1 -> {
          near.destroy("shop");
          whole.destroy("shop");
          deploy(document(random, size));
        }
        default -> step(random);
      }
      assertThat(seen(near, begun))
          .as("seed %d, turn %d", seed, turn)
          .isEqualTo(seen(whole, begunWhole));
    }
  }

  private static void deploy(String document) {
    near.deploy(document);
    whole.deploy(document);
  }

  private void step(Random random) {
    near.claim().forEach(run -> begun.put(name(run), near.begin(run)));
    whole.claim().forEach(run -> begunWhole.put(name(run), whole.begin(run)));
    if (!begun.isEmpty() && random.nextInt(4) > 0) {
      String name = begun.keySet().stream().skip(random.nextInt(begun.size())).findFirst().get();
      boolean breaks = random.nextInt(8) == 0;
      end(near, begun.remove(name), breaks);
      end(whole, begunWhole.remove(name), breaks);
    }
    near.loop.advanceDue();
    everything(whole);
    whole.loop.advanceDue();
  }

  /** The next turn looks at everything. */
  private static void everything(Yard yard) {
    yard.database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE applications SET decided_version = NULL"));
  }

  private static String name(ClaimedRun run) {
    return run.operation() + " " + run.subject().nodeName();
  }

  private static void end(Yard yard, ClaimedRun run, boolean breaks) {
    String cancel =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery("SELECT coalesce(cancel, '') FROM runs WHERE id = ?")
                        .bind(0, run.id())
                        .mapTo(String.class)
                        .one());
    if (cancel.equals("requested") || breaks) {
      yard.cancelled(run);
    } else {
      yard.end(run);
    }
  }

  private static String seen(Yard yard, Map<String, ClaimedRun> begun) {
    String rows =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    String.join(
                        "\n",
                        h.createQuery(
                                """
                                SELECT concat_ws(' ', r.name, r.state, r.wanted, run.operation,
                                                 run.state, r.reason, r.attempted_hash)
                                  FROM resources r LEFT JOIN runs run ON run.id = r.run_id
                                 ORDER BY r.name
                                """)
                            .mapTo(String.class)
                            .list()));
    String application =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery(
                            """
                            SELECT concat_ws(' ', a.state, a.resource_count, a.active_count,
                                             a.deleted_at IS NULL, d.status)
                              FROM applications a JOIN deployments d ON d.application_id = a.id
                             ORDER BY d.id DESC LIMIT 1
                            """)
                        .mapTo(String.class)
                        .one());
    return application + "\n" + rows + "\n" + begun.keySet();
  }

  @Test
  void a_turn_about_one_resource_needs_no_row_of_another_branch_of_the_graph() throws Exception {
    near.deploy(
        """
        apiVersion: score.dev/v1b1
        metadata: {name: shop}
        containers: {web: {image: nginx}}
        resources:
          net: {type: service}
          database: {type: service, params: {url: "${resources.net.host}"}}
          cache: {type: service}
        """);
    ClaimedRun net =
        near.claim().stream()
            .map(near::begin)
            .filter(run -> "net".equals(run.subject().nodeName()))
            .findFirst()
            .orElseThrow();
    near.loop.advanceDue();
    near.end(net);
    try (Connection other = near.database.dataSource().getConnection()) {
      other.setAutoCommit(false);
      other.createStatement().execute("SELECT 1 FROM resources WHERE name = 'cache' FOR UPDATE");
      assertThat(near.loop.advanceDue()).isEqualTo(1);
      assertThat(near.states()).containsEntry("net", "active");
      assertThat(near.claim()).extracting(ItemTurnTest::name).containsExactly("create database");
      other.rollback();
    }
  }
}
