package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * What lives of applications leave behind, beside a recording of it: the transitions of each
 * resource with actor and reason, the events about it with the names of their fields, and the
 * events of deployments. How the events of different resources and of runs interleave may differ.
 */
class TracesTest {
  private static final Yard yard = new Yard();
  private static final String OTHER =
      """
      apiVersion: score.dev/v1b1
      metadata: {name: wiki}
      containers: {web: {image: nginx}}
      resources:
        db: {type: postgres, id: main, params: {size: 1}}
      """;

  @AfterAll
  static void close() {
    yard.close();
  }

  private interface Life {
    void live();
  }

  private final Map<String, Life> lives = new TreeMap<>();

  private void lives() {
    lives.put(
        "created, changed and destroyed",
        () -> {
          yard.deploy(SHOP);
          yard.settle();
          yard.deploy(SHOP.replace("size: 1", "size: 2"));
          yard.settle();
          yard.destroy("shop");
          yard.settle();
        });
    lives.put(
        "create fails, is tried again and succeeds",
        () -> {
          yard.broken.add("create db");
          yard.deploy(SHOP);
          yard.settle();
          yard.broken.clear();
          yard.resources.retry(Yard.ANN, yard.resource("db").id());
          yard.settle();
        });
    lives.put(
        "update fails",
        () -> {
          yard.deploy(SHOP);
          yard.settle();
          yard.broken.add("update db");
          yard.deploy(SHOP.replace("size: 1", "size: 2"));
          yard.settle();
        });
    lives.put(
        "delete fails and is asked for again",
        () -> {
          yard.deploy(SHOP);
          yard.settle();
          yard.broken.add("delete db");
          yard.destroy("shop");
          yard.settle();
          yard.broken.clear();
          yard.destroy("shop");
          yard.settle();
        });
    lives.put(
        "destroyed before and while its first run works",
        () -> {
          yard.deploy(SHOP);
          yard.destroy("shop");
          yard.settle();
          yard.deploy(SHOP);
          ClaimedRun run = yard.begin(yard.claim().getFirst());
          yard.loop.advanceDue();
          yard.destroy("shop");
          yard.cancelled(run);
          yard.clock.advance(Duration.ofSeconds(10));
          yard.settle();
        });
    lives.put(
        "cancelled before its first step",
        () -> {
          yard.deploy(SHOP);
          yard.refused(yard.claim().getFirst());
          yard.settle();
        });
    lives.put(
        "shared and passed on",
        () -> {
          yard.deploy(OTHER.replace("wiki", "shop"));
          yard.settle();
          yard.deploy(OTHER);
          yard.settle();
          yard.destroy("shop");
          yard.settle();
          yard.destroy("wiki");
          yard.settle();
        });
  }

  @Test
  void lives_leave_the_transitions_and_events_that_were_recorded() throws IOException {
    lives();
    StringBuilder all = new StringBuilder();
    lives.forEach(
        (name, life) -> {
          yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
          life.live();
          all.append("# ").append(name).append('\n');
          all.append(transitions()).append(events());
        });
    if (Boolean.getBoolean("slipway.publish")) {
      Files.writeString(Path.of("src/test/resources/traces.txt"), all.toString());
    }
    assertThat(all.toString()).isEqualTo(recorded());
  }

  private static String transitions() {
    StringBuilder text = new StringBuilder();
    yard.database
        .jdbi()
        .useHandle(
            h ->
                h.createQuery(
                        "SELECT r.name, t.incarnation, t.from_state, t.to_state, t.actor,"
                            + " regexp_replace(t.reason, '[0-9a-f-]{36}', 'ID') AS reason,"
                            + " t.run_id IS NOT NULL AS run, t.epoch"
                            + " FROM resource_transitions t JOIN resources r ON r.id = t.resource_id"
                            + " ORDER BY r.name, r.id, t.id")
                    .mapToMap()
                    .forEach(row -> text.append(row.values()).append('\n')));
    return text.toString();
  }

  private static String events() {
    Map<String, List<String>> bySubject = new TreeMap<>();
    yard.database
        .jdbi()
        .useHandle(
            h ->
                h.createQuery(
                        "SELECT type, application, environment, team, source, data FROM events"
                            + " WHERE type !~ '^workflow' ORDER BY id")
                    .map(
                        (rs, _) -> {
                          Map<String, Object> data = Json.readMap(rs.getString("data"));
                          String subject = rs.getString(2) + " " + data.get("resource");
                          String line =
                              String.join(
                                  " ",
                                  rs.getString(1),
                                  rs.getString(3),
                                  rs.getString(4),
                                  rs.getString(5),
                                  new TreeSet<>(data.keySet()).toString(),
                                  String.valueOf(data.get("from")),
                                  sorted(data.get("error")));
                          return Map.entry(subject, line.replaceAll("[0-9a-f-]{36}", "ID"));
                        })
                    .forEach(
                        e ->
                            bySubject
                                .computeIfAbsent(e.getKey(), k -> new ArrayList<>())
                                .add(e.getValue())));
    StringBuilder text = new StringBuilder();
    bySubject.forEach(
        (subject, lines) -> {
          text.append("## ").append(subject).append('\n');
          lines.forEach(line -> text.append(line).append('\n'));
        });
    return text.toString();
  }

  private static String sorted(@Nullable Object error) {
    return error == null ? "null" : new TreeMap<>(Values.map(error)).toString();
  }

  private static String recorded() throws IOException {
    return Files.readString(Path.of("src/test/resources/traces.txt"));
  }
}
