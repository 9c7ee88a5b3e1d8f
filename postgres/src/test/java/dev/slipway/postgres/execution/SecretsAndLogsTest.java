package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.postgres.runs.PostgresStepLogs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SecretsAndLogsTest {
  private static final String SECRET = "tops3cret-value";

  private Bench bench;
  private Bench.Replica replica;

  @BeforeEach
  void start() {
    bench = new Bench();
    replica = bench.replica("a");
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @Test
  void a_secret_is_open_for_execution_and_nowhere_else() {
    bench.probe.on(
        "use",
        call -> {
          call.log().line(StepLog.Stream.STDOUT, "connecting with " + call.config().get("text"));
          return new Result.Succeeded(
              Map.of("url", "postgres://x:" + SECRET + "@db", "host", "db", "password", "other"),
              Set.of());
        });
    bench.probe.on(
        "fail",
        call ->
            new Result.Failed(StepError.permanent("login", "refused " + SECRET, null), Map.of()));
    UUID run =
        start(
            """
            - {name: use, type: probe, config: {text: '{{ .parameters.admin }}'}}
            - {name: read, type: probe, config: {text: '{{ .steps.use.output.url }}'}}
            - {name: fail, type: probe}
            """);

    bench.awaitState(run, "failed");

    assertThat(bench.probe.calls.get(0).config()).containsEntry("text", SECRET);
    assertThat(bench.probe.calls.get(1).config())
        .as("whatever embeds a secret opens too")
        .containsEntry("text", "postgres://x:" + SECRET + "@db");
    for (String table : List.of("runs", "steps", "events", "step_logs", "attempts")) {
      assertThat(
              bench.count(
                  "SELECT count(*) FROM " + table + " t WHERE t::text LIKE '%" + SECRET + "%'"))
          .as(table)
          .isZero();
    }
    assertThat(
            bench.text("SELECT outputs->>'host' FROM steps WHERE name = 'use' AND run_id = ?", run))
        .isEqualTo("db");
    assertThat(
            bench.text(
                "SELECT outputs->'password'->>'$sealed' FROM steps WHERE name = 'use' AND run_id ="
                    + " ?",
                run))
        .startsWith("v2:");
    assertThat(bench.text("SELECT lines FROM step_logs WHERE run_id = ?", run))
        .contains("connecting with ***");
  }

  @Test
  void a_step_that_floods_its_log_is_cut_with_a_note() {
    String line = "x".repeat(64 * 1024);
    bench.probe.on(
        "flood",
        call -> {
          for (int i = 0; i < 200; i++) {
            call.log().line(StepLog.Stream.STDOUT, line);
          }
          return Probe.DONE;
        });
    UUID run = start("- {name: flood, type: probe}");
    bench.awaitState(run, "succeeded");

    List<PostgresStepLogs.Page> pages =
        new PostgresStepLogs(bench.database.jdbi())
            .read(run, "flood", PostgresStepLogs.Cursor.START, 100);
    String last = pages.getLast().lines();
    assertThat(last.lines().toList().getLast()).contains("log cut: a step keeps at most 10 MiB");
    assertThat(pages.stream().mapToInt(p -> p.lines().length()).sum()).isLessThan(12 * 1024 * 1024);
  }

  @Test
  void a_step_that_is_continued_keeps_its_log_and_knows_how_much_of_it_is_stored() {
    AtomicLong stored = new AtomicLong();
    bench.probe.on(
        "talk",
        call -> {
          stored.set(call.log().stored());
          call.log().line(StepLog.Stream.NOTE, "a note");
          call.log().line(StepLog.Stream.STDOUT, "said \"s\":\"note\" " + stored);
          call.log().line(StepLog.Stream.STDERR, "complained");
          return call.origin() == StepCall.Origin.FRESH
              ? new Result.Parked(Instant.EPOCH, "a moment", Map.of())
              : Probe.DONE;
        });
    UUID run = start("- {name: talk, type: probe}");
    bench.awaitState(run, "succeeded");
    assertThat(stored).hasValue(2);
    assertThat(new PostgresStepLogs(bench.database.jdbi()).stored(run, "talk", 1)).isEqualTo(4);
  }

  @Test
  void outputs_that_cannot_be_kept_fail_the_step_and_say_why() {
    bench.probe.on("nul", call -> new Result.Succeeded(Map.of("x", "a\0b"), Set.of()));
    UUID run = start("- {name: nul, type: probe}");

    bench.awaitState(run, "failed");
    assertThat(bench.text("SELECT error->>'code' FROM steps WHERE run_id = ?", run))
        .isEqualTo("invalid-output");
  }

  @Test
  void a_run_that_retries_another_takes_over_what_had_succeeded() {
    NewRun first =
        bench.run(
            "- {name: a, type: probe}\n"
                + "- {name: b, type: probe, config: {text: '{{ .steps.a.output.n }}'}}");
    StepRecord done =
        StepRecord.pending("a")
            .started("", bench.clock.instant())
            .ended(StepState.SUCCEEDED, Map.of("n", 7L), null, bench.clock.instant())
            .carried();
    NewRun again =
        new NewRun(
            UUID.randomUUID(),
            first.kind(),
            first.definition(),
            null,
            first.subject(),
            new NewRun.Tenancy("default", "team"),
            NewRun.Origin.retry(first.id(), List.of(done)),
            first.inputs(),
            new NewRun.Creation("somebody", bench.clock.instant()),
            Duration.ofMinutes(5));
    replica.runs.insert(List.of(again));

    bench.awaitState(again.id(), "succeeded");
    assertThat(bench.probe.names()).containsExactly("b/1");
    assertThat(bench.probe.calls.getFirst().config()).containsEntry("text", "7");
  }

  @Test
  void what_cannot_be_rendered_fails_the_step_before_it_begins() {
    UUID run = start("- {name: a, type: probe, config: {text: '{{ .parameters.nowhere }}'}}");

    bench.awaitState(run, "failed");
    assertThat(bench.probe.calls).isEmpty();
    assertThat(bench.text("SELECT error->>'code' FROM runs WHERE id = ?", run))
        .isEqualTo("template");
  }

  @Test
  void variables_that_a_step_sets_are_seen_by_the_next_and_survive_a_wait() {
    bench.probe.on("one", call -> new Result.Succeeded(Map.of("n", 5L), Set.of()));
    bench.probe.on(
        "two",
        call ->
            call.origin() == StepCall.Origin.FRESH
                ? new Result.Parked(bench.clock.instant().plusSeconds(10), "time", Map.of())
                : Probe.DONE);
    UUID run =
        start(
            """
            - {name: one, type: probe, setVariables: {count: '{{ .steps.one.output.n }}'}}
            - {name: two, type: probe}
            - {name: three, type: probe, if: 'variables.count == 5', config: {text: '{{ .variables.count }}'}}
            """);
    bench.awaitState(run, "waiting");
    bench.turn(Duration.ofSeconds(10));

    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.calls.getLast().config()).containsEntry("text", "5");
  }

  private UUID start(String steps) {
    NewRun run = bench.run(steps);
    NewRun withSecret =
        new NewRun(
            run.id(),
            run.kind(),
            run.definition(),
            null,
            run.subject(),
            new NewRun.Tenancy("default", "team"),
            NewRun.Origin.NONE,
            new NewRun.Inputs(Map.of("admin", bench.box.seal(SECRET)), Map.of(), Map.of()),
            new NewRun.Creation("somebody", run.creation().at()),
            null);
    replica.runs.insert(List.of(withSecret));
    return run.id();
  }
}
