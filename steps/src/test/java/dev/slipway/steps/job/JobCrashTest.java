package dev.slipway.steps.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.steps.Calls;
import dev.slipway.steps.Lines;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that stops anywhere on the way leaves one Job, which the next one goes on with. */
@Timeout(300)
class JobCrashTest {
  @TempDir Path data;
  private JobSteps steps;
  private final AtomicBoolean lost = new AtomicBoolean();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void start() {
    steps = new JobSteps(data);
  }

  @AfterEach
  void stop() {
    steps.close();
  }

  @Test
  void a_server_that_dies_before_any_of_its_requests_leaves_one_job_and_one_effect()
      throws Exception {
    Path effects = data.resolve("effects");
    try (Watch _ = jobsEverSeen()) {
      int crashes = 0;
      for (int nth = 1; nth <= 20; nth++) {
        StepCall call =
            steps.call(
                "echo run >> '" + effects.resolve(String.valueOf(nth)) + "'; echo OUTPUT_a=1");
        Files.createDirectories(effects);
        int last = crashes;
        crashes += endsAt(call, nth);
        assertThat(Files.readAllLines(effects.resolve(String.valueOf(nth)))).containsExactly("run");
        if (crashes == last) {
          break;
        }
      }
      // namespace is read; Job, Secret, start
      assertThat(crashes).isGreaterThanOrEqualTo(3);
      assertThat(steps.jobs()).hasSize(crashes + 1);
      int all = crashes + 1;
      await().atMost(JobSteps.LIMIT).until(() -> seen.size() >= all);
      assertThat(seen).hasSize(all);
    }
  }

  /** Runs the call on a server that stops at its nth change, then on another; 1 if it stopped. */
  private int endsAt(StepCall call, int nth) throws InterruptedException {
    var lease = JobSteps.endingAt(nth);
    Map<String, Object> stored = Map.of();
    try {
      Result first = steps.executor.execute(Calls.leased(lease, call));
      stored = ((Result.Parked) first).memory();
      Result second = steps.executor.execute(Calls.leased(lease, Calls.resumed(call, stored)));
      assertThat(second).isInstanceOf(Result.Succeeded.class);
      return 0;
    } catch (InterruptedException e) {
      assertThat(steps.outputs(Calls.recovered(Calls.resumed(call, stored))))
          .containsEntry("a", "1");
      return 1;
    }
  }

  private Watch jobsEverSeen() {
    return TestControlPlane.client()
        .batch()
        .v1()
        .jobs()
        .inNamespace(steps.namespace)
        .watch(
            new Watcher<>() {
              @Override
              public void eventReceived(Action action, Job job) {
                seen.add(job.getMetadata().getUid());
              }

              @Override
              public void onClose(WatcherException cause) {}
            });
  }

  @Test
  void a_server_that_comes_back_goes_on_with_the_log_where_it_was() throws Exception {
    Path go = data.resolve("go");
    StepCall call =
        steps.call(
            "for i in 1 2 3; do echo out $i; echo err $i >&2; done; until [ -e '"
                + go
                + "' ]; do sleep 0.1; done; echo 'OUTPUT_a=1'; echo late >&2");
    StepCall begun = steps.begun(call);
    Thread first = Thread.ofVirtual().start(() -> interrupted(begun));
    await().atMost(JobSteps.LIMIT).until(() -> output().size() >= 6);
    lost.set(true);
    first.interrupt();
    first.join();

    Files.createFile(go);
    List<String> kept = output();
    Lines after = new Lines(kept.size());
    Result result = steps.executor.execute(Calls.logging(after, Calls.recovered(begun)));

    assertThat(((Result.Succeeded) result).outputs()).containsEntry("a", "1");
    assertThat(kept)
        .containsExactlyInAnyOrder(
            "STDOUT out 1",
            "STDOUT out 2",
            "STDOUT out 3",
            "STDERR err 1",
            "STDERR err 2",
            "STDERR err 3");
    assertThat(after.all()).containsExactly("STDOUT OUTPUT_a=1", "STDERR late");
    assertThat(steps.jobs()).hasSize(1);
  }

  private List<String> output() {
    return steps.log.all().stream().filter(line -> !line.startsWith("NOTE")).toList();
  }

  /** Executes it on a server that loses its lease when it is interrupted. */
  private void interrupted(StepCall call) {
    RunLease lease =
        () -> {
          if (lost.get()) {
            throw new InterruptedException("the lease has ended");
          }
        };
    assertThatThrownBy(() -> steps.executor.execute(Calls.leased(lease, call)))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void a_cancelled_step_has_ended_when_its_pods_are_gone() throws Exception {
    Path alive = data.resolve("alive");
    StepCall begun =
        steps.begun(
            steps.call(
                "trap 'echo told >&2; rm \"$ALIVE\"; exit 1' TERM; touch \"$ALIVE\"; echo up;"
                    + " while :; do sleep 0.1; done",
                Map.of("env", Map.of("ALIVE", alive.toString()))));
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread step =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    steps.executor.execute(begun);
                  } catch (InterruptedException e) {
                    end.set(e);
                  }
                });
    await().atMost(JobSteps.LIMIT).until(() -> steps.log.all().contains("STDOUT up"));
    step.interrupt();
    step.join();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
    assertThat(pods()).isEmpty();
    assertThat(steps.jobs()).isEmpty();
    assertThat(steps.log.all()).contains("STDERR told");
    assertThat(alive).doesNotExist();
  }

  @Test
  void a_step_that_no_server_follows_is_ended_by_the_next_one() throws Exception {
    StepCall begun = steps.begun(steps.call("echo up; sleep 100"));
    Thread first = Thread.ofVirtual().start(() -> interrupted(begun));
    await().atMost(JobSteps.LIMIT).until(() -> steps.log.all().contains("STDOUT up"));
    lost.set(true);
    first.interrupt();
    first.join();
    lost.set(false);
    steps.executor.stop(Calls.recovered(begun));
    assertThat(pods()).isEmpty();
    assertThat(steps.jobs()).isEmpty();
    assertThat(steps.failed(Calls.recovered(begun)).error().code()).isEqualTo("job-gone");
    assertThat(steps.jobs()).isEmpty();
  }

  @Test
  void a_step_that_takes_too_long_is_ended_with_its_pods() throws Exception {
    StepCall begun = steps.begun(steps.call("echo stuck >&2; sleep 100"));
    Result result = steps.executor.execute(Calls.within(Duration.ofSeconds(4), begun));
    assertThat(((Result.Failed) result).error().code()).isEqualTo("timeout");
    assertThat(((Result.Failed) result).error().message())
        .isEqualTo("stopped after its timeout: stuck");
    assertThat(pods()).isEmpty();
    assertThat(steps.jobs()).isEmpty();
  }

  private List<Pod> pods() {
    return TestControlPlane.client().pods().inNamespace(steps.namespace).list().getItems();
  }
}
