package dev.slipway.server;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.slipway.web.Route;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that has enough to do says so at once, and goes on with what it has. */
class BackPressureTest {
  private static final String SOME = new UUID(0, 0).toString();

  /** Deleting is not among them: runs that take away are made however many wait. */
  private static final List<String> STARTING_RUNS =
      List.of(
          "/api/specs",
          "/api/applications",
          "/api/specs/some/rollback",
          "/api/applications/some/rollback",
          "/api/resources",
          "/api/resources/" + SOME + "/retry",
          "/api/resources/" + SOME + "/refresh",
          "/api/workflows/" + SOME + "/retry",
          "/api/golden-paths/some/execute",
          "/api/workflows/golden-paths/some/execute");

  private static Running running;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "engine: {maxQueuedRuns: 3, maxWrites: 2}\n");
    running = new Running(Optional.of(config));
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void with_too_many_runs_waiting_new_ones_are_refused_and_all_else_works() throws SQLException {
    sql(
        """
        INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team, inputs,
                          state, claimable_at, created_by, created_at)
        SELECT gen_random_uuid(), 'golden-path', 'd', 'tools', 'x', 'default', 'red', '{}',
               'pending', now() + interval '1 hour', 'dora', now()
          FROM generate_series(1, 3)
        """);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> deploy("full-" + System.nanoTime()).status() == 503);
    var refused = deploy("one-more");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isEqualTo("15");
    assertThat(refused.body()).contains("queue-full").contains("3 runs wait to begin");
    running.asAdmin().get("/api/applications/one-more").expect(404);
    for (String path : STARTING_RUNS) {
      assertThat(running.asAdmin().send("POST", path, "").expect(503).body())
          .as(path)
          .contains("queue-full");
    }
    running.asAdmin().get("/api/workflows").expect(200);
    running.asAdmin().post("/api/teams", "{\"name\":\"calm\"}").expect(201);
    sql("DELETE FROM runs WHERE workflow = 'x'");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> deploy("one-more").status() == 201);
  }

  @Test
  void the_routes_that_start_runs_are_these() {
    List<Route> starting =
        running.server.routes().stream()
            .filter(route -> route.traits().contains(Route.Trait.STARTS_RUNS))
            .toList();
    assertThat(starting).hasSameSizeAs(STARTING_RUNS);
    assertThat(STARTING_RUNS)
        .allSatisfy(path -> assertThat(starting).anyMatch(route -> route.covers(path)));
  }

  @Test
  void the_routes_that_share_no_room_with_changes_are_these() {
    Map<Route.Lane, Set<String>> lanes =
        running.server.routes().stream()
            .filter(route -> route.method().changes() && route.lane() != Route.Lane.CHANGES)
            .collect(groupingBy(Route::lane, mapping(Route::operation, toSet())));
    assertThat(lanes)
        .containsOnly(
            entry(
                Route.Lane.RELIEF,
                Set.of(
                    "cancelRun", "approve", "reject", "logout", "revokeApiKey", "revokeApiKeyOf")),
            entry(Route.Lane.SIGN_IN, Set.of("login")),
            entry(Route.Lane.OUTSIDE, Set.of("refreshProvider", "reload")));
    assertThat(running.server.routes())
        .as("who has no token takes no room from those who have")
        .filteredOn(route -> route.access() instanceof Route.Access.Open)
        .allMatch(route -> !route.method().changes() || route.lane() == Route.Lane.SIGN_IN);
  }

  @Test
  void with_too_many_changes_at_once_the_next_is_answered_429_with_retry_after()
      throws SQLException {
    List<CompletableFuture<Integer>> inside;
    try (Connection blocker = UpgradeFixture.connect(running.database);
        Statement s = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      s.execute("LOCK TABLE teams IN EXCLUSIVE MODE");
      inside = Stream.of("left", "right").map(BackPressureTest::team).toList();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  UpgradeFixture.strings(
                              blocker,
                              "SELECT pid FROM pg_locks WHERE NOT granted AND relation ="
                                  + " 'teams'::regclass")
                          .size()
                      == 2);
      var refused = running.asAdmin().post("/api/teams", "{\"name\":\"third\"}");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      running.asAdmin().get("/api/applications").expect(200);
      passWhatTakesWorkAway();
      blocker.rollback();
    }
    assertThat(inside).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(201));
    running.asAdmin().post("/api/teams", "{\"name\":\"third\"}").expect(201);
  }

  @Test
  void slow_senders_block_no_other_client() throws IOException {
    try (Socket first = halfSent("/api/login", "", 1_000);
        Socket second = halfSent("/api/login", "", 1_000);
        Socket third = halfSent("/api/teams", running.adminToken, 1_000);
        Socket fourth = halfSent("/api/teams", running.adminToken, 1_000)) {
      passWhatTakesWorkAway();
      running.asAdmin().post("/api/teams", "{\"name\":\"quick\"}").expect(201);
      assertThat(List.of(first, second, third, fourth)).noneMatch(Socket::isClosed);
    }
  }

  @Test
  void those_who_send_much_and_slowly_keep_out_only_what_is_long() throws IOException {
    String longOne = ApplicationTest.score("long") + "# " + "x".repeat(20_000);
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 64; i++) {
        Socket socket = halfSent("/api/teams", running.adminToken, 30_000);
        slow.add(socket);
        socket.getOutputStream().write("x".repeat(20_000).getBytes(StandardCharsets.US_ASCII));
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> running.asAdmin().yaml("/api/validate", longOne).status() == 429);
      running.asAdmin().yaml("/api/validate", ApplicationTest.score("short")).expect(200);
      passWhatTakesWorkAway();
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.asAdmin().yaml("/api/validate", longOne).status() == 200);
  }

  @Test
  void a_body_of_a_caller_without_a_token_is_limited() {
    String much = "{\"username\":\"%s\",\"password\":\"x\"}".formatted("x".repeat(20_000));
    assertThat(running.asNobody().post("/api/login", much).expect(413).body()).contains("16384");
  }

  /**
   * They are admitted: the answers say that there is nothing to cancel or decide, and no user of
   * that name.
   */
  private static void passWhatTakesWorkAway() {
    String nothing = "/" + SOME + "/";
    running.asAdmin().post("/api/workflows" + nothing + "cancel", "").expect(404);
    running.asAdmin().post("/api/approvals" + nothing + "approve", "").expect(404);
    running.asAdmin().post("/api/approvals" + nothing + "reject", "").expect(404);
    running
        .asNobody()
        .post("/api/login", "{\"username\":\"nobody\",\"password\":\"at all, no\"}")
        .expect(401);
  }

  /** A request of which the server waits for the rest: it has asked for it. */
  private static Socket halfSent(String path, String token, int length) throws IOException {
    Socket socket = new Socket("127.0.0.1", running.server.port());
    socket.setSoTimeout(20_000);
    String head =
        """
        POST %s HTTP/1.1
        Host: localhost
        Authorization: Bearer %s
        Content-Type: application/json
        Content-Length: %d
        Expect: 100-continue

        """
            .formatted(path, token, length)
            .replace("\n", "\r\n");
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    var answer =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    assertThat(answer.readLine()).isEqualTo("HTTP/1.1 100 Continue");
    socket.getOutputStream().write('{');
    return socket;
  }

  private static CompletableFuture<Integer> team(String name) {
    return CompletableFuture.supplyAsync(
        () -> running.asAdmin().post("/api/teams", "{\"name\":\"%s\"}".formatted(name)).status());
  }

  private static Running.Reply deploy(String name) {
    return running.asAdmin().yaml("/api/specs", ApplicationTest.score(name));
  }

  private static void sql(String sql) throws SQLException {
    try (Connection c = UpgradeFixture.connect(running.database);
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }
}
