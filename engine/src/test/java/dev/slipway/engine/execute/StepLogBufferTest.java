package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Secrets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StepLogBufferTest {
  private final StepLogBuffer log =
      new StepLogBuffer(
          new UUID(1, 1),
          "make",
          1,
          1,
          InstantSource.system(),
          new AtomicReference<>(Secrets.of(List.of("known-before"))),
          Set.of());

  @Test
  void a_secret_output_is_hidden_where_it_is_said_and_in_all_later_lines() {
    assertThat(logged("OUTPUT_api_token=s3cr3t-77z", "using s3cr3t-77z and known-before"))
        .contains("OUTPUT_api_token=***", "using *** and ***")
        .doesNotContain("s3cr3t", "known-before");
  }

  @Test
  void a_secret_of_a_json_object_is_hidden_and_the_rest_stays() {
    assertThat(logged("{\"user\": \"ann\", \"password\": \"a\\\"b-c3\", \"port\": 5}"))
        .contains("ann", "5")
        .doesNotContain("b-c3");
  }

  @Test
  void even_a_short_secret_is_hidden_where_it_is_said() {
    assertThat(logged("::set-output name=password::ab", "cabbage"))
        .contains("password::***", "cabbage");
  }

  @Test
  void other_outputs_stay_readable() {
    assertThat(logged("OUTPUT_path=/srv/data")).contains("OUTPUT_path=/srv/data");
  }

  @Test
  void a_very_long_line_of_escapes_is_no_problem() {
    assertThat(logged("\"token\": \"" + "\\n".repeat(30_000) + "\"")).contains("token");
  }

  @Test
  void a_call_that_goes_on_in_the_same_claim_numbers_its_chunks_on() {
    AtomicInteger chunks = new AtomicInteger();
    log.after(chunks, () -> 5);
    log.line(StepLog.Stream.STDOUT, "first");
    assertThat(log.take(Instant.now()).orElseThrow().seq()).isZero();
    assertThat(log.stored()).isEqualTo(5);
    StepLogBuffer next =
        new StepLogBuffer(
                new UUID(1, 1),
                "make",
                1,
                1,
                InstantSource.system(),
                new AtomicReference<>(Secrets.none()),
                Set.of())
            .after(chunks, () -> 6);
    next.line(StepLog.Stream.STDOUT, "second");
    assertThat(next.take(Instant.now()).orElseThrow().seq()).isEqualTo(1);
  }

  private String logged(String... lines) {
    for (String line : lines) {
      log.line(StepLog.Stream.STDOUT, line);
    }
    return log.take(Instant.now()).orElseThrow().toString();
  }
}
