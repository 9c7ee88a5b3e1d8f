package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.OfflineDocuments;
import dev.slipway.engine.value.Json;
import dev.slipway.server.HostileDocuments.Attack;
import dev.slipway.server.HostileDocuments.Hostile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.Jdbi;

/** Team red at work. */
final class Attacker {
  /**
   * How many documents there are, and how many of each attack, of each type, and of each type with
   * foreign names are carried out. A type whose programs take seconds to start has a bound of its
   * own.
   */
  record Plan(int documents, int ofAttack, int ofType, int ofForeign) {
    private static final Map<String, Integer> SLOW = Map.of("probe-ansible", 1, "probe-module", 2);

    boolean wants(Hostile hostile, Attacker so) {
      int attacks = so.byAttack.getOrDefault(hostile.attack(), 0);
      int types = so.byType.getOrDefault(hostile.type(), 0);
      int foreign = so.foreignByType.getOrDefault(hostile.type(), 0);
      int most = SLOW.getOrDefault(hostile.type(), Integer.MAX_VALUE);
      return hostile.attack() == Attack.FOREIGN_NAMES
          ? foreign < Math.min(ofForeign, most)
          : types - foreign < most && (attacks < ofAttack || types < Math.min(ofType, most));
    }
  }

  /** An application whose removal ended without removing it, and why. */
  record Remaining(String application, String resource, String type, String error) {}

  private static final String UNFINISHED =
      """
      SELECT (SELECT count(*) FROM runs WHERE finished_at IS NULL)
           + (SELECT count(*) FROM deployments WHERE status IN ('waiting', 'running'))
      """;

  private static final String REMAINING =
      """
      SELECT a.name, x.id, x.type,
             coalesce((SELECT r.error ->> 'code' FROM runs r
                        WHERE r.resource_id = x.id AND r.operation = 'delete'
                        ORDER BY r.id DESC LIMIT 1), x.state || ' ' || coalesce(x.reason::text, ''))
        FROM applications a JOIN resources x ON x.owner_id = a.id
       WHERE a.team = 'red' AND x.state <> 'deleted'
      """;

  private static final OfflineDocuments DOCUMENTS =
      ServiceLoader.load(OfflineDocuments.class).findFirst().orElseThrow();

  final Map<Attack, Integer> byAttack = new EnumMap<>(Attack.class);
  final Map<String, Integer> byType = new TreeMap<>();
  private final Map<String, Integer> foreignByType = new TreeMap<>();
  private final HostileWorld world;
  private final Jdbi jdbi;
  private final Map<String, Hostile> made = new TreeMap<>();

  Attacker(HostileWorld world) {
    this.world = world;
    var state = world.running.database;
    this.jdbi = Jdbi.create(state.jdbcUrl(), state.user(), state.password());
  }

  /**
   * Carries some documents of each attack out, in the order of the generator. The rest is read by
   * the intake, and planned by the server when that accepts it, several at a time.
   */
  void send(HostileDocuments generator, Plan plan) throws InterruptedException {
    try (ExecutorService planning = Executors.newFixedThreadPool(3)) {
      List<Future<?>> planned = new ArrayList<>();
      for (int i = 0; i < plan.documents(); i++) {
        Hostile hostile = generator.next();
        if (plan.wants(hostile, this)) {
          deploy(hostile);
        } else {
          planned.add(planning.submit(() -> plan(hostile)));
        }
      }
      for (Future<?> each : planned) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private void deploy(Hostile hostile) {
    HttpResponse<String> reply = post("", hostile.text());
    assertThat(reply.statusCode()).as(hostile + reply.body()).isLessThan(500);
    if (reply.statusCode() < 300) {
      byAttack.merge(hostile.attack(), 1, Integer::sum);
      byType.merge(hostile.type(), 1, Integer::sum);
      if (hostile.attack() == Attack.FOREIGN_NAMES) {
        foreignByType.merge(hostile.type(), 1, Integer::sum);
      }
      // The document may have chosen a name of its own.
      String name = String.valueOf(Json.readMap(reply.body()).get("name"));
      made.put(name, new Hostile(hostile.attack(), name, hostile.type(), hostile.text()));
    }
  }

  private void plan(Hostile hostile) {
    byte[] bytes = hostile.text().getBytes(StandardCharsets.UTF_8);
    boolean refused = DOCUMENTS.check("score.yaml", bytes).stream().anyMatch(Diagnostic::isError);
    if (!refused) {
      HttpResponse<String> reply = post("?dryRun=true", hostile.text());
      assertThat(reply.statusCode()).as(hostile + reply.body()).isLessThan(500);
    }
  }

  /** Without a comparison with the contract, which other tests make. */
  private HttpResponse<String> post(String query, String text) {
    try {
      return world.running.http.send(
          HttpRequest.newBuilder(URI.create(world.running.server.url() + "/api/specs" + query))
              .header("Authorization", "Bearer " + world.red)
              .header("Content-Type", "application/yaml")
              .POST(HttpRequest.BodyPublishers.ofString(text))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Changes what there is by documents that name things of team blue. */
  void change(HostileDocuments generator) {
    made.values().forEach(hostile -> post("", generator.again(hostile)));
  }

  /** Until nothing is under way; an operator says yes to everything meanwhile. */
  void settle() {
    await()
        .pollInterval(Duration.ofMillis(250))
        .atMost(Duration.ofSeconds(180))
        .until(
            () -> {
              world.agree();
              return jdbi.withHandle(h -> h.createQuery(UNFINISHED).mapTo(Long.class).one());
            },
            unfinished -> unfinished == 0);
  }

  void destroy() {
    for (String name : made.keySet()) {
      world
          .running
          .as(world.red)
          .delete("/api/applications/" + name + "?confirm=" + name)
          .expect(202);
    }
    settle();
  }

  /** Resources that are there after the removal of every application. */
  List<Remaining> remaining() {
    return jdbi.withHandle(
        h ->
            h.createQuery(REMAINING)
                .map(
                    (rs, _) ->
                        new Remaining(
                            rs.getString(1), rs.getString(2), rs.getString(3), rs.getString(4)))
                .list());
  }

  /** How steps of team red failed: the type of the resource and the code of the error. */
  List<String> errors() {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    "SELECT DISTINCT r.resource_type || ' ' || (s.error ->> 'code') FROM steps s"
                        + " JOIN runs r ON r.id = s.run_id"
                        + " WHERE r.team = 'red' AND s.error IS NOT NULL ORDER BY 1")
                .mapTo(String.class)
                .list());
  }

  /** Runs of team red: their workspaces stay for a day, so that a retry finds them. */
  List<String> runs() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT id::text FROM runs WHERE team = 'red'")
                .mapTo(String.class)
                .list());
  }
}
