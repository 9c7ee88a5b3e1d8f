package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepExecutor.Limits;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.testbed.SettableClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitExecutorTest {
  private final SettableClock clock = new SettableClock();
  private final WaitExecutor wait = new WaitExecutor(clock);

  @Test
  void a_duration_is_a_stored_timer_and_no_thread_waits() {
    Result.Parked parked =
        (Result.Parked) wait.execute(Calls.of("wait", Map.of("duration", "1h30m")));
    assertThat(parked.wakeAt()).isEqualTo(clock.instant().plus(Duration.ofMinutes(90)));
    assertThat(parked.limits()).isEqualTo(Limits.RUN);

    clock.advance(Duration.ofMinutes(89));
    assertThat(wait.execute(Calls.of("wait", Map.of("duration", "1h30m"), parked.memory())))
        .isEqualTo(parked);

    clock.advance(Duration.ofMinutes(1));
    assertThat(wait.execute(Calls.of("wait", Map.of("duration", "1h30m"), parked.memory())))
        .isInstanceOfSatisfying(
            Result.Succeeded.class,
            done -> assertThat(done.outputs()).containsEntry("waited_ms", 5_400_000L));
  }

  @Test
  void a_moment_that_has_passed_is_no_wait() {
    assertThat(wait.execute(Calls.of("wait", Map.of("until", "2029-01-01T00:00:00Z"))))
        .isInstanceOf(Result.Succeeded.class);
    assertThat(wait.execute(Calls.of("wait", Map.of("until", "2031-01-01T00:00:00+02:00"))))
        .isInstanceOf(Result.Parked.class);
  }

  @Test
  void a_condition_is_looked_at_again_after_its_interval() {
    Result waits = wait.execute(Calls.of("wait", Map.of("condition", false, "interval", "30s")));

    assertThat(waits)
        .isInstanceOfSatisfying(
            Result.Parked.class,
            parked -> assertThat(parked.wakeAt()).isEqualTo(clock.instant().plusSeconds(30)));
    assertThat(wait.execute(Calls.of("wait", Map.of("condition", true))))
        .isInstanceOf(Result.Succeeded.class);
  }

  @Test
  void what_makes_no_sense_is_refused() {
    assertThat(wait.execute(Calls.of("wait", Map.of()))).isInstanceOf(Result.Failed.class);
    assertThat(wait.execute(Calls.of("wait", Map.of("until", "tomorrow"))))
        .isInstanceOfSatisfying(
            Result.Failed.class,
            failed -> assertThat(failed.error().message()).contains("tomorrow"));
  }
}
