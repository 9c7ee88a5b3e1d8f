package dev.slipway.steps.terraform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.ModuleStates;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A module with a first object that is quick and a second that waits for a file. */
@Timeout(300)
@Tag("proof")
class TerraformCrashTest {
  @TempDir Path directory;
  private Modules modules;
  private Path witness;
  private Path go;

  @BeforeEach
  void start() {
    modules = new Modules(directory);
    witness = directory.resolve("witness");
    go = directory.resolve("go");
    modules.file(
        "slow/main.tf",
        """
        resource "terraform_data" "quick" {
          provisioner "local-exec" { command = "echo quick >> %1$s" }
        }
        resource "terraform_data" "slow" {
          depends_on = [terraform_data.quick]
          provisioner "local-exec" {
            command = "echo slow >> %1$s; until [ -f %2$s ]; do sleep 0.1; done"
          }
        }
        """
            .formatted(witness, go));
  }

  @AfterEach
  void stop() throws IOException {
    modules.close();
    try (Stream<Path> left = Files.list(modules.data.resolve("work"))) {
      assertThat(left).isEmpty();
    }
  }

  private Modules.Work slow() {
    return modules.work().with("path", "slow").running();
  }

  private List<String> witnessed() {
    try {
      return Files.exists(witness) ? Files.readAllLines(witness) : List.of();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void awaitSlow() {
    await().until(() -> witnessed().contains("slow"));
  }

  private static CompletableFuture<Result> started(
      Modules.Work work, AtomicReference<Thread> thread) {
    CompletableFuture<Result> result = new CompletableFuture<>();
    thread.set(
        Thread.startVirtualThread(
            () -> {
              try {
                result.complete(work.execute());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            }));
    return result;
  }

  private Modules.Work recovered(Modules.Work work) {
    work.origin = StepCall.Origin.RECOVERED;
    work.epoch = 2;
    modules.execute("UPDATE runs SET epoch = 2");
    return work;
  }

  private void die(Modules.Work work) throws Exception {
    Process server = DoomedServer.start(modules, work);
    try {
      awaitSlow();
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void a_server_that_is_killed_in_mid_apply_makes_nothing_twice() throws Exception {
    Modules.Work work = slow();
    die(work);

    Files.createFile(go);
    assertThat(recovered(work).outputs()).containsKey("to_add");
    assertThat(witnessed().stream().filter("quick"::equals)).hasSize(1);
    assertThat(modules.log.all())
        .contains("NOTE took over the lock of the interrupted attempt")
        .anyMatch(line -> line.contains("terraform_data.slow is tainted"));
    assertThat(work.next("plan").outputs())
        .isEqualTo(Map.of("to_add", 0L, "to_change", 0L, "to_destroy", 0L));
  }

  @Test
  void what_the_database_missed_is_found_on_the_disk() throws Exception {
    Modules.Work work = slow();
    die(work);
    modules.execute("DELETE FROM module_states");
    modules.execute("UPDATE module_workspaces SET version = NULL");

    Files.createFile(go);
    recovered(work).outputs();
    assertThat(witnessed().stream().filter("quick"::equals)).hasSize(1);
    assertThat(modules.log.all()).contains("NOTE took over the state that it left on this machine");
  }

  @Test
  void a_step_that_is_cancelled_after_a_crash_keeps_what_it_made() throws Exception {
    Modules.Work work = slow();
    die(work);
    modules.executor.stop(recovered(work).call());

    assertThat(modules.text("SELECT count(*) FROM module_workspaces WHERE lock_id IS NULL"))
        .isEqualTo("1");
    Files.createFile(go);
    work.next("apply").outputs();
    assertThat(witnessed().stream().filter("quick"::equals)).hasSize(1);
  }

  @Test
  void a_cancelled_apply_has_saved_its_state_and_given_back_its_lock() throws Exception {
    Modules.Work work = slow();
    AtomicReference<Thread> thread = new AtomicReference<>();
    CompletableFuture<Result> result = started(work, thread);
    awaitSlow();
    thread.get().interrupt();
    await().until(result::isDone);

    assertThat(result).isCompletedExceptionally();
    assertThat(result.exceptionNow()).isInstanceOf(InterruptedException.class);
    await()
        .untilAsserted(
            () ->
                assertThat(modules.log.all())
                    .anyMatch(line -> line.contains("Gracefully shutting down")));
    Files.createFile(go);
    work.next("apply").outputs();
    assertThat(witnessed().stream().filter("quick"::equals)).hasSize(1);
  }

  @Test
  void an_apply_that_takes_too_long_has_saved_its_state() throws Exception {
    Modules.Work work = slow();
    work.timeout = Duration.ofSeconds(6);
    assertThat(work.error().code()).isEqualTo("timeout");
    Files.createFile(go);
    work.next("apply").outputs();
    assertThat(witnessed().stream().filter("quick"::equals)).hasSize(1);
  }

  @Test
  void the_second_run_waits_for_the_lock() throws Exception {
    Modules.Work first = slow();
    CompletableFuture<Result> result = started(first, new AtomicReference<>());
    awaitSlow();
    Modules.Work second = first.next("apply").running();

    Result.Parked waits = (Result.Parked) second.execute();
    assertThat(waits.waitingFor())
        .contains("run " + first.run)
        .contains("workflow make-db")
        .contains("requested by ann");
    second.memory = Map.of("since", Instant.now().minusSeconds(61).toString());
    StepError late = second.error();
    assertThat(late.code()).isEqualTo("state-locked");
    assertThat(late.kind()).isEqualTo(StepError.Kind.TRANSIENT);
    assertThat(late.message()).contains(first.run.toString());

    Files.createFile(go);
    await().until(result::isDone);
    assertThat(result.join()).isInstanceOf(Result.Succeeded.class);
    second.memory = waits.memory();
    assertThat(second.outputs()).containsEntry("to_add", 0L);
  }

  @Test
  void a_lock_that_was_lost_fails_the_step_and_leaves_the_state_alone() throws Exception {
    Modules.Work first = slow();
    CompletableFuture<Result> result = started(first, new AtomicReference<>());
    awaitSlow();
    modules.execute("UPDATE runs SET state = 'failed'");
    Modules.Work thief = first.next("apply").running();
    ModuleStates.Claim.Held stolen =
        (ModuleStates.Claim.Held)
            modules.states.claim(
                new ModuleStates.Workspace(
                    "resource/" + first.resource + "/slow", "acme", first.resource, "team-a"),
                new ModuleStates.Holder(thief.run, "do-it", 1),
                Instant.now());
    Files.createFile(go);
    await().until(result::isDone);

    StepError error = ((Result.Failed) result.join()).error();
    assertThat(error.code()).isEqualTo("state-lock-lost");
    Optional<byte[]> now =
        modules.states.look(new ModuleStates.Workspace(stolen.lock().key(), "acme", null, "team-a"))
                instanceof ModuleStates.Glance.State state
            ? Optional.of(state.bytes())
            : Optional.empty();
    assertThat(now.map(String::new)).isEqualTo(stolen.state().map(String::new));
    assertThat(modules.text("SELECT count(*) FROM module_states WHERE refused")).isEqualTo("1");
    assertThat(modules.text("SELECT lock_run::text FROM module_workspaces"))
        .isEqualTo(thief.run.toString());
  }

  @Test
  void a_worker_whose_run_went_elsewhere_touches_nothing() throws Exception {
    Modules.Work work = slow();
    modules.execute("UPDATE runs SET epoch = 5");
    assertThat(work.error().code()).isEqualTo("state-lock-lost");
    assertThat(witnessed()).isEmpty();
    Files.createDirectories(modules.data.resolve("work"));
  }

  @Test
  void the_lock_of_a_run_that_has_ended_is_taken_over_with_a_word() throws Exception {
    Modules.Work ended = slow();
    modules.states.claim(
        new ModuleStates.Workspace(
            "resource/" + ended.resource + "/slow", "acme", ended.resource, "team-a"),
        new ModuleStates.Holder(ended.run, "do-it", 1),
        Instant.now());
    modules.execute("UPDATE runs SET state = 'cancelled'");
    Files.createFile(go);
    ended.next("apply").running().outputs();
    assertThat(modules.log.all())
        .contains("NOTE took over the lock of run " + ended.run + ", which has ended");
  }

  @Test
  void a_database_that_is_away_is_waited_for() throws Exception {
    Modules.Work work = slow();
    modules.database.close();
    Result.Parked waits = (Result.Parked) work.execute();
    assertThat(waits.waitingFor()).startsWith("the store of states");
    assertThat(witnessed()).isEmpty();
    Files.createDirectories(modules.data.resolve("work"));
  }

  @Test
  void a_database_that_comes_back_gets_the_state() throws Exception {
    Modules.Work work = slow();
    CompletableFuture<Result> result = started(work, new AtomicReference<>());
    awaitSlow();
    modules.cutConnections();
    Files.createFile(go);
    await().until(result::isDone);
    assertThat(result.join()).isInstanceOf(Result.Succeeded.class);
    assertThat(work.next("plan").outputs()).containsEntry("to_add", 0L);
  }
}
