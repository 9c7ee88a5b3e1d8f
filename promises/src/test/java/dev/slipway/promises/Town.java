package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.promises.Deed.Life;
import dev.slipway.promises.KilledServerTest.Side;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.PostgresVersion;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A database, a server that may be killed, a witness, and lives that are lived there. */
final class Town implements AutoCloseable {
  private static final Duration A_LIFE = Duration.ofMinutes(3);

  private final TestDatabase database;
  private final PostgresProxy proxy;
  private final Witness witness;
  private final Yard yard;
  private final Replica replica;
  private final Client client;
  private @Nullable Client another;
  private int number;
  private volatile int kills;

  Town(Path directory, PostgresVersion version) throws IOException {
    database = TestPostgres.freshDatabase(version);
    proxy = PostgresProxy.of(database);
    witness = new Witness();
    yard = new Yard(directory, database, witness);
    replica = new Replica(directory.resolve("a"), yard.config(), proxy.through(database));
    client = new Client(() -> replica);
  }

  void start() {
    replica.start();
    Diary.begin(yard);
    try {
      another = client.another();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Diary diary() {
    return new Diary(yard);
  }

  /** A whole life, watched; then its history must be as if nothing had happened. */
  void life(Scenario scenario, PostgresProxy.CommitWatch watch) {
    Life life =
        new Life(scenario.type + "-" + ++number, scenario.type, Objects.requireNonNull(another));
    kills = 0;
    try {
      until(() -> life.live(scenario.before, client));
      proxy.watch(watch);
      until(() -> life.live(scenario.deeds, client));
      proxy.watch(PostgresProxy.CommitWatch.NONE);
      // Its end may be seen before the watcher is called for the commit that made it: a kill comes
      // now.
      await()
          .atMost(A_LIFE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(15))
          .until(proxy::isQuiet);
      if (!replica.alive()) {
        replica.start();
      }
      check(scenario, life);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(story(scenario, life), e);
    }
  }

  /** Everything that can tell what went wrong. */
  private String story(Scenario scenario, Life life) {
    return String.join(
        "\n",
        scenario + " as " + life.application + " is not as it should be",
        "runs: "
            + yard.rows(
                "SELECT id, kind, state, owner, claimable_at, epoch, version, cancel, error"
                    + " FROM runs WHERE application = ? ORDER BY id",
                life.application),
        "events: "
            + yard.rows(
                "SELECT at, type, data ->> 'step' FROM events WHERE application = ? ORDER BY id",
                life.application),
        "witness: " + witness.effects(life.application),
        "server: " + replica.log());
  }

  /** {@code kill -9}, on that side of a commit that the database is about to get or has. */
  void kill(Side side) {
    kills++;
    replica.kill();
    if (side == Side.BEFORE) {
      proxy.cut(); // or the commit would still arrive after the death of its sender
    }
  }

  private interface Act {
    boolean done() throws IOException;
  }

  /** Goes on until it is done; a server that was killed meanwhile is started again. */
  private void until(Act act) {
    await()
        .atMost(A_LIFE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(15))
        .until(
            () -> {
              try {
                return act.done();
              } catch (IOException e) {
                if (!replica.alive()) {
                  replica.start();
                }
                return false;
              }
            });
  }

  private void check(Scenario scenario, Life life) {
    checkEffects(scenario, life.application);
    History.check(yard, life.application, scenario.end);
    checkGraph(scenario, life.application);
  }

  /** Each effect under as many keys as it takes; a key comes again only when a kill was between. */
  private void checkEffects(Scenario scenario, String application) {
    Map<String, Map<String, Integer>> effects = witness.effects(application);
    assertThat(effects.keySet())
        .as("effects of " + application)
        .isEqualTo(scenario.effects.keySet());
    scenario.effects.forEach(
        (effect, keys) ->
            assertThat(effects.get(effect)).as(effect + " of " + application).hasSize(keys));
    assertThat(effects.values())
        .as("calls by key, with %d kills: %s", kills, effects)
        .allSatisfy(keys -> assertThat(keys.values()).allMatch(calls -> calls <= 1 + kills));
  }

  /** What people are shown is what the tables say, of the application, its resources and runs. */
  private void checkGraph(Scenario scenario, String application) {
    Client.Answer answer = answered("/api/graph/" + application);
    if (scenario.end.equals("deleted")) {
      assertThat(answer.status()).as("graph of what is gone").isEqualTo(404);
      return;
    }
    assertThat(states(answer, "application"))
        .as("the application in its graph")
        .containsExactly("application:" + application + " " + scenario.end)
        .isEqualTo(
            yard.rows(
                "SELECT 'application:' || name, state FROM applications WHERE name = ?"
                    + " AND deleted_at IS NULL",
                application));
    assertThat(states(answer, "resource"))
        .as("resources in the graph of " + application)
        .containsExactlyInAnyOrderElementsOf(
            yard.rows(
                "SELECT 'resource:' || r.identity, r.state FROM resources r"
                    + " JOIN applications a ON a.id = r.owner_id WHERE a.name = ?",
                application));
    assertThat(states(answer, "workflow"))
        .as("runs in the graph of " + application)
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(
            yard.rows(
                "SELECT 'workflow:' || id, state FROM runs WHERE application = ?", application));
  }

  /** What the server says, once it can: one that has just come back may not know its database. */
  private Client.Answer answered(String path) {
    AtomicReference<Client.Answer> answer = new AtomicReference<>();
    until(
        () -> {
          answer.set(client.get(path));
          return answer.get().status() != 503;
        });
    return answer.get();
  }

  /** Of each node of that type its id and its state. */
  @SuppressWarnings("unchecked")
  private static List<String> states(Client.Answer graph, String type) {
    return ((List<Map<String, Object>>) graph.json().get("nodes"))
        .stream()
            .filter(node -> node.get("type").equals(type))
            .map(node -> node.get("id") + " " + node.get("state"))
            .toList();
  }

  @Override
  public void close() {
    proxy.watch(PostgresProxy.CommitWatch.NONE);
    replica.close();
    yard.close();
    proxy.close();
    witness.close();
  }
}
