package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.access.LoginLimits;
import dev.slipway.postgres.access.LoginLimits.Attempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas on one database, the second behind a proxy that it trusts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginLimitsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
  private static final String RIGHT = "correct horse battery";
  private static final String WRONG = "wrong wrong wrong";

  private Running plain;
  private Running proxied;
  private LoginLimits limits;
  private Jdbi jdbi;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    plain = new Running();
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"), "server: {trustedProxies: [127.0.0.1/32]}\n");
    Path data = Running.temporary();
    Files.copy(
        plain.data.resolve("secret.key"),
        data.resolve("secret.key"),
        StandardCopyOption.REPLACE_EXISTING);
    proxied = new Running(plain.database, data, Optional.of(config));
    jdbi = Jdbi.create(plain.database.jdbcUrl(), plain.database.user(), plain.database.password());
    limits = new LoginLimits(jdbi);
  }

  @AfterAll
  void stop() {
    proxied.close();
    plain.close();
  }

  private void account(String name) {
    plain.member(name, "payments", "developer");
    plain
        .asAdmin()
        .patch("/api/admin/users/" + name, "{\"password\":\"%s\"}".formatted(RIGHT))
        .expect(200);
  }

  private static Running.Reply login(Running at, String from, String user, String password) {
    return at.asNobody()
        .with("X-Forwarded-For", from)
        .post("/api/login", "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(user, password));
  }

  /**
   * Wrong attempts as a replica counts them, without the second that a check of a password takes,
   * and lasting an hour: the counters do not end however slow the machine is.
   */
  private void attempts(int count, IntFunction<Attempt> attempt) {
    Instant later = Instant.now().plus(Duration.ofHours(1));
    for (int i = 0; i < count; i++) {
      assertThat(limits.begin(attempt.apply(i), later)).isEmpty();
    }
  }

  @Test
  void attempts_count_in_all_replicas_and_for_names_that_do_not_exist_too() {
    account("otto");
    for (String user : List.of("otto", "nonesuch")) {
      attempts(LoginLimits.OF_PAIR - 2, i -> new Attempt(user, "127.0.0.1"));
      login(plain, "127.0.0.1", user, WRONG).expect(401);
      login(proxied, "127.0.0.1", user, WRONG).expect(401);
      for (Running each : List.of(plain, proxied)) {
        var refused = login(each, "127.0.0.1", user, RIGHT).expect(429);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 3_661);
      }
    }
  }

  @Test
  void a_forged_address_from_a_peer_that_is_not_trusted_gives_no_new_attempts() {
    account("frida");
    attempts(LoginLimits.OF_PAIR - 1, i -> new Attempt("frida", "127.0.0.1"));
    login(plain, "198.51.100.1", "frida", WRONG).expect(401);
    login(plain, "198.51.100.77", "frida", WRONG).expect(429);
    plain
        .asNobody()
        .with("Forwarded", "for=198.51.100.78")
        .post("/api/login", "{\"username\":\"frida\",\"password\":\"%s\"}".formatted(WRONG))
        .expect(429);
  }

  @Test
  void one_client_behind_a_proxy_does_not_lock_out_another_behind_the_same() {
    account("anna");
    account("berta");
    attempts(LoginLimits.OF_ADDRESS - 1, i -> new Attempt("guess" + i, "203.0.113.66"));
    login(proxied, "203.0.113.66", "guess", WRONG).expect(401);
    login(proxied, "203.0.113.66", "berta", RIGHT).expect(429);
    attempts(LoginLimits.OF_PAIR - 1, i -> new Attempt("anna", "203.0.113.67"));
    login(proxied, "203.0.113.67", "anna", WRONG).expect(401);
    login(proxied, "203.0.113.67", "anna", RIGHT).expect(429);
    login(proxied, "203.0.113.5", "anna", RIGHT).expect(200);
    login(proxied, "203.0.113.5", "berta", RIGHT).expect(200);
    login(proxied, "203.0.113.67, 203.0.113.5", "anna", RIGHT).expect(200);
  }

  @Test
  void a_crowd_of_guessers_does_not_lock_an_account_out_where_it_has_signed_in_before() {
    account("carla");
    login(proxied, "203.0.113.7", "carla", RIGHT).expect(200);
    attempts(LoginLimits.OF_ACCOUNT - 1, i -> new Attempt("carla", "198.51.100." + i));
    login(proxied, "198.51.100.199", "carla", WRONG).expect(401);
    login(proxied, "198.51.100.200", "carla", RIGHT).expect(429);
    login(proxied, "203.0.113.7", "carla", RIGHT).expect(200);
  }

  @Test
  void a_broken_limit_of_an_address_spares_accounts_that_have_signed_in_from_there() {
    account("dana");
    login(proxied, "203.0.113.80", "dana", RIGHT).expect(200);
    attempts(LoginLimits.OF_ADDRESS - 1, i -> new Attempt("other" + i, "203.0.113.80"));
    login(proxied, "203.0.113.80", "other", WRONG).expect(401);
    login(proxied, "203.0.113.80", "stranger", WRONG).expect(429);
    login(proxied, "203.0.113.80", "dana", RIGHT).expect(200);
  }

  @Test
  void after_a_minute_there_are_new_attempts_and_a_refused_one_does_not_prolong_the_wait() {
    Attempt attempt = new Attempt("emil", "192.0.2.1");
    for (int i = 0; i < LoginLimits.OF_PAIR; i++) {
      assertThat(limits.begin(attempt, NOW.plusSeconds(i))).isEmpty();
    }
    for (int i = 10; i < 60; i++) {
      assertThat(limits.begin(attempt, NOW.plusSeconds(i))).contains(Duration.ofSeconds(60L - i));
    }
    assertThat(limits.begin(attempt, NOW.plus(LoginLimits.WINDOW))).isEmpty();
  }

  @Test
  void of_attempts_at_the_same_moment_no_more_than_the_limit_are_made() throws Exception {
    List<Callable<Boolean>> attempts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      attempts.add(() -> limits.begin(new Attempt("crowd", "192.0.2.2"), NOW).isEmpty());
    }
    int made = 0;
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (Future<Boolean> attempt : threads.invokeAll(attempts)) {
        made += attempt.get() ? 1 : 0;
      }
    }
    assertThat(made).isEqualTo(LoginLimits.OF_PAIR);
  }

  @Test
  void right_passwords_do_not_use_attempts_up() {
    account("greta");
    for (int i = 0; i < LoginLimits.OF_PAIR + 1; i++) {
      login(proxied, "192.0.2.30", "greta", RIGHT).expect(200);
    }
  }

  @Test
  void what_has_ended_is_removed_and_an_account_has_few_addresses() {
    account("hanna");
    for (int i = 0; i < 40; i++) {
      limits.begin(new Attempt("name" + i, "192.0.2.3"), NOW.minus(Duration.ofDays(9_000)));
      limits.succeeded(new Attempt("hanna", "2001:db8::" + i), NOW.plusSeconds(i));
    }
    limits.begin(new Attempt("emil", "192.0.2.4"), NOW);
    assertThat(count("SELECT count(*) FROM login_attempts WHERE expires_at < '2020-01-01'"))
        .isZero();
    assertThat(count("SELECT count(*) FROM login_addresses WHERE user_name = 'hanna'"))
        .isEqualTo(20);
  }

  private long count(String sql) {
    return jdbi.withHandle(h -> h.createQuery(sql).mapTo(Long.class).one());
  }
}
