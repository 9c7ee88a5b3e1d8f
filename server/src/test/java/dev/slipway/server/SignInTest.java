package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SignInTest {
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
  void the_token_in_the_data_directory_is_the_administrator() throws IOException {
    var who = running.asAdmin().get("/api/auth/whoami").expect(200).json();
    assertThat(who).containsEntry("name", "admin");
    assertThat(who.get("permissions"))
        .isEqualTo(
            Map.of(
                "read", List.of("*"),
                "change", List.of("*"),
                "approve", List.of("*"),
                "reveal", List.of("*"),
                "operate", List.of("*"),
                "administer", List.of("*")));
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(running.server.adminTokenFile())))
        .isEqualTo("rw-------");
  }

  @Test
  void a_call_without_a_token_or_with_a_wrong_one_is_refused() {
    var reply = running.asNobody().get("/api/auth/whoami").expect(401);
    assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
    assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
    running.as("slipway_key_wrong").get("/api/auth/whoami").expect(401);
    running.as(running.adminToken + "x").get("/api/auth/whoami").expect(401);
  }

  @Test
  void a_token_in_the_address_is_refused_even_when_it_is_right() {
    var reply =
        running.asAdmin().get("/api/auth/whoami?access_token=" + running.adminToken).expect(400);
    assertThat(reply.body()).contains("Authorization header").doesNotContain(running.adminToken);
  }

  @Test
  void a_password_opens_a_session_that_ends_with_logout() {
    running.member("paula", "payments", "developer");
    String token = (String) running.signIn("paula", "correct horse battery").json().get("token");
    assertThat(running.as(token).get("/api/auth/whoami").expect(200).json())
        .containsEntry("name", "paula");
    running.as(token).post("/api/logout", "").expect(204);
    running.as(token).get("/api/auth/whoami").expect(401);
  }

  @Test
  void the_session_cookie_is_not_for_scripts_and_not_for_other_sites() {
    running.member("cora", "payments", "developer");
    var login = running.signIn("cora", "correct horse battery");
    assertThat(login.header("Set-Cookie")).contains("HttpOnly").contains("SameSite=Strict");
    String cookie = login.header("Set-Cookie").replaceAll(";.*", "");
    var browser = running.asNobody().with("Cookie", cookie);
    browser.get("/api/auth/whoami").expect(200);
    browser
        .with("Origin", "https://elsewhere.example")
        .post("/api/profile/api-keys", "{\"name\":\"stolen\"}")
        .expect(403);
    browser
        .with("Origin", running.server.url())
        .post("/api/profile/api-keys", "{\"name\":\"own\"}")
        .expect(201);
  }

  @Test
  void behind_a_proxy_with_tls_the_cookie_is_secure_and_its_pages_are_ours(@TempDir Path directory)
      throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            "server: {publicUrl: 'https://slipway.example.org'}\n");
    try (Running proxied = new Running(Optional.of(config))) {
      proxied.member("cora", "payments", "developer");
      String set = proxied.signIn("cora", "correct horse battery").header("Set-Cookie");
      assertThat(set).endsWith("; Secure");
      var browser = proxied.asNobody().with("Cookie", set.replaceAll(";.*", ""));
      String body = "{\"name\":\"own\"}";
      browser
          .with("Origin", "https://slipway.example.org")
          .post("/api/profile/api-keys", body)
          .expect(201);
      for (String other : List.of("http://slipway.example.org", "https://example.org", "null")) {
        browser.with("Origin", other).post("/api/profile/api-keys", body).expect(403);
      }
    }
    running.member("tess", "payments", "developer");
    running.signIn("tess", "correct horse battery");
    assertThat(
            running
                .asNobody()
                .with("X-Forwarded-Proto", "https")
                .post(
                    "/api/login", "{\"username\":\"tess\",\"password\":\"correct horse battery\"}")
                .expect(200)
                .header("Set-Cookie"))
        .as("any client can send that header")
        .doesNotContain("Secure");
  }

  @Test
  void guessing_a_password_is_slowed_down() {
    running.member("gina", "payments", "viewer");
    running.signIn("gina", "correct horse battery");
    String wrong = "{\"username\":\"gina\",\"password\":\"wrong wrong wrong\"}";
    for (int i = 0; i < 5; i++) {
      running.asNobody().post("/api/login", wrong).expect(401);
    }
    var refused = running.asNobody().post("/api/login", wrong).expect(429);
    assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 61);
  }

  @Test
  void an_api_key_is_shown_once_and_ends_when_it_is_revoked() {
    String token = running.member("karl", "payments", "developer");
    var made =
        running.as(token).post("/api/profile/api-keys", "{\"name\":\"ci\"}").expect(201).json();
    String key = (String) made.get("token");
    running.as(key).get("/api/auth/whoami").expect(200);
    var listed = running.as(key).get("/api/profile/api-keys").expect(200);
    assertThat(listed.body()).contains("\"ci\"").doesNotContain(key);
    running.as(token).delete("/api/profile/api-keys/" + made.get("id")).expect(204);
    running.as(key).get("/api/auth/whoami").expect(401);
  }

  @Test
  void an_api_key_of_another_user_cannot_be_revoked() {
    String karin = running.member("karin", "payments", "developer");
    String kurt = running.member("kurt", "payments", "developer");
    Object id =
        running
            .as(karin)
            .post("/api/profile/api-keys", "{\"name\":\"ci\"}")
            .expect(201)
            .json()
            .get("id");
    running.as(kurt).delete("/api/profile/api-keys/" + id).expect(404);
  }

  @Test
  void a_disabled_account_is_out_at_once() {
    String token = running.member("dora", "payments", "developer");
    running.asAdmin().patch("/api/admin/users/dora", "{\"disabled\":true}").expect(200);
    running.as(token).get("/api/auth/whoami").expect(401);
  }

  @Test
  void health_and_readiness_need_no_token() {
    assertThat(running.asNobody().get("/health").expect(200).json())
        .containsEntry("status", "ok")
        .containsEntry("orchestration_engine", "running");
    assertThat(running.asNobody().get("/ready").expect(200).json()).containsEntry("ready", true);
  }
}
