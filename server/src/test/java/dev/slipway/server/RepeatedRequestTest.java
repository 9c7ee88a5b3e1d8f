package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.access.RepeatedRequests.Reply;
import dev.slipway.postgres.access.RepeatedRequests.Request;
import dev.slipway.postgres.access.RepeatedRequests.Verdict;
import dev.slipway.postgres.access.TeamStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepeatedRequestTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
  private Running running;
  private Jdbi jdbi;

  @BeforeAll
  void start() {
    running = new Running();
    jdbi =
        Jdbi.create(
            running.database.jdbcUrl(), running.database.user(), running.database.password());
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void the_same_request_with_the_same_key_is_carried_out_once() {
    var keyed = running.asAdmin().with("Idempotency-Key", "one");
    var first = keyed.post("/api/teams", "{\"name\":\"once\"}").expect(201);
    var second = keyed.post("/api/teams", "{\"name\":\"once\"}").expect(201);
    assertThat(first.header("Idempotency-Replayed")).isEmpty();
    assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.header("Location")).isEqualTo("/api/teams/once");
  }

  @Test
  void the_same_key_for_another_request_is_refused() {
    var keyed = running.asAdmin().with("Idempotency-Key", "two");
    keyed.post("/api/teams", "{\"name\":\"first\"}").expect(201);
    keyed.post("/api/teams", "{\"name\":\"other\"}").expect(422);
  }

  @Test
  void one_key_sent_to_two_routes_names_two_requests() {
    var keyed = running.asAdmin().with("Idempotency-Key", "everywhere");
    keyed.post("/api/teams", "{\"name\":\"routed\"}").expect(201);
    keyed.post("/api/profile/api-keys", "{\"name\":\"routed\"}").expect(201);
    keyed.post("/api/admin/users", "{\"name\":\"routed\"}").expect(201);
    assertThat(
            keyed
                .post("/api/teams", "{\"name\":\"routed\"}")
                .expect(201)
                .header("Idempotency-Replayed"))
        .isEqualTo("true");
    keyed.post("/api/admin/users", "{\"name\":\"other\"}").expect(422);
    keyed.yaml("/api/specs?environment=default", ApplicationTest.score("routed")).expect(201);
    keyed.yaml("/api/specs?environment=other", ApplicationTest.score("routed")).expect(422);
  }

  @Test
  void a_request_that_was_refused_may_be_sent_again_corrected_later() {
    var keyed = running.asAdmin().with("Idempotency-Key", "three");
    running.asAdmin().post("/api/teams", "{\"name\":\"busy\"}").expect(201);
    keyed.post("/api/teams", "{\"name\":\"busy\"}").expect(409);
    running.asAdmin().delete("/api/teams/busy").expect(204);
    keyed.post("/api/teams", "{\"name\":\"busy\"}").expect(201);
  }

  @Test
  void a_request_that_died_with_its_server_is_free_again_when_the_server_is_back() {
    Request request = new Request("admin", "crash", "POST /api/teams", new byte[] {1});
    RepeatedRequests before = new RepeatedRequests(jdbi, "a", Threads.OF_MACHINE);
    assertThat(before.begin(request, NOW)).isInstanceOf(Verdict.First.class);

    RepeatedRequests other = new RepeatedRequests(jdbi, "b", Threads.OF_MACHINE);
    assertThat(other.begin(request, NOW)).isInstanceOf(Verdict.Running.class);
    RepeatedRequests successor = new RepeatedRequests(jdbi, "a", Threads.OF_MACHINE);
    assertThat(successor.begin(request, NOW)).isInstanceOf(Verdict.First.class);
  }

  @Test
  void what_a_request_did_is_undone_when_its_reply_cannot_be_kept() throws Exception {
    RepeatedRequests requests = new RepeatedRequests(jdbi, "c", Threads.OF_MACHINE);
    Request request = new Request("admin", "halfway", "POST /api/teams", new byte[] {1});
    Verdict.First first = (Verdict.First) requests.begin(request, NOW);
    assertThatThrownBy(
            () ->
                requests.carryOut(
                    request,
                    first,
                    () -> team("halfway"),
                    made -> {
                      throw new IllegalStateException("no room");
                    }))
        .hasMessage("no room");
    assertThat(team("halfway")).as("free to be made").isTrue();
    assertThat(requests.begin(request, NOW)).isInstanceOf(Verdict.First.class);
  }

  @Test
  void a_replica_that_was_taken_for_dead_changes_nothing() throws Exception {
    RepeatedRequests slow = new RepeatedRequests(jdbi, "slow", Threads.OF_MACHINE);
    RepeatedRequests quick = new RepeatedRequests(jdbi, "quick", Threads.OF_MACHINE);
    Request request = new Request("admin", "frozen", "POST /api/teams", new byte[] {1});
    Verdict.First early = (Verdict.First) slow.begin(request, NOW);
    Instant later = NOW.plus(RepeatedRequests.ABANDONED).plusSeconds(1);
    Verdict.First late = (Verdict.First) quick.begin(request, later);
    assertThatThrownBy(() -> slow.carryOut(request, early, () -> team("thawed"), this::kept))
        .isInstanceOf(RepeatedRequests.TakenOverException.class);
    assertThat(quick.carryOut(request, late, () -> team("thawed"), this::kept)).isTrue();
    assertThat(slow.begin(request, later)).isInstanceOf(Verdict.Done.class);
  }

  @Test
  void a_deployment_asked_for_twice_with_one_key_is_one_deployment() {
    var keyed = running.asAdmin().with("Idempotency-Key", "deploy");
    String score =
        "apiVersion: score.dev/v1b1\n"
            + "metadata: {name: twice}\n"
            + "containers: {main: {image: \"scratch\"}}\n";
    var first = keyed.yaml("/api/applications", score).expect(201);
    var second = keyed.yaml("/api/applications", score).expect(201);
    assertThat(second.json().get("deploymentId")).isEqualTo(first.json().get("deploymentId"));
  }

  private boolean team(String name) {
    return new TeamStore(jdbi, List.of()).create(name, "", NOW);
  }

  private Optional<Reply> kept(boolean made) {
    return Optional.of(new Reply(201, new byte[0]));
  }

  @Test
  void keys_of_different_people_do_not_meet() {
    String one = running.member("ida", "payments", "developer");
    String two = running.member("ivo", "payments", "developer");
    var first =
        running
            .as(one)
            .with("Idempotency-Key", "mine")
            .post("/api/profile/api-keys", "{\"name\":\"a\"}")
            .expect(201);
    var second =
        running
            .as(two)
            .with("Idempotency-Key", "mine")
            .post("/api/profile/api-keys", "{\"name\":\"a\"}")
            .expect(201);
    assertThat(second.json().get("token")).isNotEqualTo(first.json().get("token"));
  }

  @Test
  void of_many_at_the_same_moment_one_does_it() throws Exception {
    List<Callable<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(
          () ->
              running
                  .asAdmin()
                  .with("Idempotency-Key", "crowd")
                  .post("/api/profile/api-keys", "{\"name\":\"crowd\"}")
                  .status());
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> call : threads.invokeAll(calls)) {
        statuses.add(call.get());
      }
      assertThat(statuses).isSubsetOf(201, 409).contains(201);
    }
    String keys = running.asAdmin().get("/api/profile/api-keys").body();
    assertThat(keys.split("\"crowd\"", -1)).hasSize(2);
  }
}
