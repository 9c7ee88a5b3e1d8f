package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimHealth.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClaimHealthTest {
  private final AtomicLong timer = new AtomicLong();
  private final ClaimHealth claims = new ClaimHealth(Duration.ofSeconds(30), timer::get);

  @Test
  void before_the_first_claim_nothing_is_known_to_work() {
    pass(2);
    assertThat(claims.verdict())
        .isEqualTo(
            new Verdict.Fails(
                "runs cannot be claimed: no claim has succeeded yet", Duration.ofSeconds(2)));
  }

  @Test
  void a_failing_claim_counts_from_the_last_one_that_worked_until_one_works_again() {
    claims.succeeded();
    pass(5);
    claims.failed(new IllegalStateException("outer", new RuntimeException("no right\non runs")));
    pass(5);
    claims.failed(new IllegalStateException("still"));
    assertThat(claims.verdict())
        .isEqualTo(new Verdict.Fails("runs cannot be claimed: still", Duration.ofSeconds(10)));
    claims.full();
    assertThat(claims.verdict()).isInstanceOf(Verdict.Fails.class);
    claims.succeeded();
    assertThat(claims.verdict()).isEqualTo(new Verdict.Works());
  }

  @Test
  void the_reason_is_the_first_line_of_the_root_cause() {
    claims.failed(new IllegalStateException("outer", new RuntimeException("no right\non runs")));
    assertThat(((Verdict.Fails) claims.verdict()).reason())
        .isEqualTo("runs cannot be claimed: no right");
  }

  @Test
  void a_dispatcher_that_does_not_come_back_fails_after_a_while() {
    claims.succeeded();
    pass(30);
    assertThat(claims.verdict()).isEqualTo(new Verdict.Works());
    pass(1);
    assertThat(claims.verdict())
        .isEqualTo(
            new Verdict.Fails(
                "the dispatcher has not finished a look for runs for 31 s",
                Duration.ofSeconds(31)));
  }

  @Test
  void a_full_replica_that_looks_again_and_again_works() {
    claims.succeeded();
    for (int i = 0; i < 10; i++) {
      pass(20);
      claims.full();
    }
    assertThat(claims.verdict()).isEqualTo(new Verdict.Works());
  }

  private void pass(int seconds) {
    timer.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
