package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProblemTest {
  private Running running;

  @BeforeAll
  void start() {
    running = new Running();
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void an_unknown_path_is_a_json_problem() {
    var reply = running.asAdmin().get("/api/nothing/here").expect(404);
    assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
    assertThat(reply.json())
        .containsEntry("type", "urn:slipway:problem:not-found")
        .containsEntry("instance", "/api/nothing/here");
    running.asNobody().get("/elsewhere").expect(404);
  }

  @Test
  void a_wrong_method_says_which_ones_are_right() {
    var reply = running.asAdmin().send("PUT", "/api/teams", "{}").expect(405);
    assertThat(reply.header("Allow")).isEqualTo("GET, POST");
  }

  @Test
  void a_body_that_is_not_json_is_unparsable() {
    var reply = running.asAdmin().post("/api/teams", "{\"name\": ").expect(400);
    assertThat(reply.json().get("detail").toString()).contains("not a JSON object");
    running.asAdmin().post("/api/teams", "[1]").expect(400);
    running.asAdmin().post("/api/teams", "{} {}").expect(400);
  }

  @Test
  void a_field_with_a_typing_mistake_gets_a_suggestion() {
    var reply =
        running.asAdmin().post("/api/teams", "{\"name\":\"a\",\"descripton\":\"x\"}").expect(422);
    assertThat(reply.body()).contains("Did you mean 'description'?");
    assertThat(reply.json().get("errors").toString()).contains("unknown-field");
  }

  @Test
  void a_parameter_with_a_typing_mistake_is_refused_and_not_ignored() {
    var reply = running.asAdmin().get("/api/teams?limt=3").expect(400);
    assertThat(reply.body()).contains("Did you mean 'limit'?");
  }

  /** Also when the client is still sending: often, because that is a race. */
  @RepeatedTest(10)
  void a_body_past_one_mebibyte_is_too_large() {
    String big = "{\"name\":\"" + "x".repeat(3 * 1024 * 1024) + "\"}";
    running.asAdmin().post("/api/teams", big).expect(413);
    running.asNobody().post("/api/teams", big).expect(401);
  }

  @RepeatedTest(10)
  void a_body_of_unknown_length_is_too_large_when_it_does_not_end() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(running.server.url() + "/api/teams"))
            .header("Authorization", "Bearer " + running.adminToken)
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(new byte[3 * 1024 * 1024])))
            .build();

    assertThat(running.http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
  }

  @Test
  void a_client_that_expects_100_continue_does_not_send_a_body_that_is_too_large()
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", running.server.port())) {
      socket.setSoTimeout(20_000);
      String head =
          "POST /api/teams HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
              + running.adminToken
              + "\r\nContent-Type: application/json\r\nContent-Length: 3000000"
              + "\r\nExpect: 100-continue\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 413").contains("urn:slipway:problem:too-large");
    }
  }

  @Test
  void another_content_type_is_refused_with_the_right_one() {
    var reply =
        running
            .asAdmin()
            .with("Content-Type", "application/x-www-form-urlencoded")
            .send("POST", "/api/teams", "name=a")
            .expect(415);
    assertThat(reply.body()).contains("Send application/json instead");
  }

  @Test
  void a_trace_id_of_the_caller_is_kept() {
    String id = "4bf92f3577b34da6a3ce929d0e0e4736";
    var reply =
        running
            .asAdmin()
            .with("traceparent", "00-" + id + "-00f067aa0ba902b7-01")
            .get("/api/nothing")
            .expect(404);
    // An unknown path and a known one alike.
    assertThat(reply.json()).containsEntry("traceId", id);
    assertThat(
            running
                .asAdmin()
                .with("traceparent", "00-" + id + "-00f067aa0ba902b7-01")
                .get("/api/teams")
                .header("X-Request-Id"))
        .isEqualTo(id);
  }

  @Test
  void a_stale_if_match_is_refused_and_a_right_one_works() {
    running.member("moritz", "payments", "viewer");
    var before = running.asAdmin().get("/api/admin/users/moritz").expect(200);
    String tag = before.header("ETag");
    assertThat(tag).matches("\"\\d+\"");
    running
        .asAdmin()
        .with("If-Match", tag)
        .patch("/api/admin/users/moritz", "{\"displayName\":\"Moritz\"}")
        .expect(200);
    var refused =
        running
            .asAdmin()
            .with("If-Match", tag)
            .patch("/api/admin/users/moritz", "{\"displayName\":\"Max\"}")
            .expect(412);
    assertThat(refused.json().get("detail").toString()).contains("Read it again");
    assertThat(running.asAdmin().get("/api/admin/users/moritz").body()).contains("Moritz");
  }

  @Test
  void what_has_not_changed_is_not_sent_again() {
    running.member("nina", "payments", "viewer");
    String tag = running.asAdmin().get("/api/admin/users/nina").expect(200).header("ETag");
    var again = running.asAdmin().with("If-None-Match", tag).get("/api/admin/users/nina");
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void a_request_that_never_ends_is_cut_off() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", running.server.port())) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      String head =
          "POST /api/teams HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
              + running.adminToken
              + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      InputStream in = socket.getInputStream();
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 408").contains("application/problem+json");
    }
  }

  @Test
  void a_header_that_is_too_long_is_refused() {
    var reply = running.asAdmin().with("X-Long", "x".repeat(20_000)).get("/api/teams");
    assertThat(reply.status()).isEqualTo(431);
  }

  @Test
  void a_position_that_no_list_gave_is_refused() {
    for (String path : List.of("/api/applications", "/api/workflows", "/api/teams", "/api/audit")) {
      assertThat(running.asAdmin().get(path + "?continue=zzz").expect(400).body())
          .contains("'continue' is not a position");
    }
  }

  @Test
  void a_nul_in_an_address_is_a_problem_too() throws Exception {
    var request =
        java.net.http.HttpRequest.newBuilder(
                java.net.URI.create(running.server.url() + "/api/applications/a%00b"))
            .build();
    var reply = running.http.send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(reply.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(reply.body()).contains("urn:slipway:problem:bad-request", "traceId");
  }

  @Test
  void an_outdated_deletion_is_stale_before_it_is_unconfirmed() {
    running.asAdmin().yaml("/api/specs", ApplicationTest.score("stale-one")).expect(201);
    running.asAdmin().with("If-Match", "\"999\"").delete("/api/applications/stale-one").expect(412);
    running.asAdmin().delete("/api/applications/stale-one").expect(409);
  }
}
