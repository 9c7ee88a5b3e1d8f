package dev.slipway.engine.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.Alarms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SupervisionTest {
  private final AtomicInteger ends = new AtomicInteger();
  private final Supervision supervision = new Supervision(ends::incrementAndGet);
  private final Threads threads = Threads.supervised(supervision);

  static Stream<Throwable> causes() {
    return Stream.of(
        new OutOfMemoryError("Java heap space"),
        new StackOverflowError(),
        new NoClassDefFoundError("dev/slipway/Gone"),
        new AssertionError("a defect"),
        new IllegalStateException("a defect"));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void whatever_ends_a_lasting_thread_ends_the_replica(Throwable cause) throws Exception {
    threads.attend("heartbeat", () -> SupervisionTest.<RuntimeException>raise(cause)).join();

    assertThat(supervision.death()).contains(new Supervision.Death("heartbeat", cause));
    assertThat(ends).hasValue(1);
    assertThat(supervision.threads()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("causes")
  void whatever_leaves_a_passing_thread_ends_the_replica(Throwable cause) throws Exception {
    threads.start("logs", () -> SupervisionTest.<RuntimeException>raise(cause)).join();

    assertThat(supervision.death()).contains(new Supervision.Death("logs", cause));
    assertThat(ends).hasValue(1);
  }

  @Test
  void the_first_death_is_the_one_that_counts_and_the_replica_ends_once() throws Exception {
    threads.attend("dispatcher", () -> raise(new AssertionError("first"))).join();
    threads.attend("heartbeat", () -> raise(new AssertionError("second"))).join();

    assertThat(supervision.death().orElseThrow().text())
        .isEqualTo("thread 'dispatcher' died: java.lang.AssertionError: first");
    assertThat(ends).hasValue(1);
  }

  @Test
  void a_lasting_thread_that_returns_while_the_replica_works_is_dead_too() throws Exception {
    threads.attend("applications", () -> {}).join();

    assertThat(supervision.death().orElseThrow().text())
        .contains("'applications'", "returned while the replica was working");
  }

  @Test
  void a_replica_that_stops_lets_its_threads_return() throws Exception {
    CountDownLatch stop = new CountDownLatch(1);
    Thread one = threads.attend("applications", () -> Awaitility.await().until(() -> done(stop)));
    assertThat(supervision.threads()).containsExactly("applications");
    supervision.stopping();
    stop.countDown();
    one.join();
    threads.start("run", () -> {}).join();

    assertThat(supervision.death()).isEmpty();
    assertThat(ends).hasValue(0);
  }

  @Test
  void an_alarm_whose_callback_fails_ends_the_replica() {
    try (Alarms alarms = new Alarms(InstantSource.system(), threads)) {
      alarms.at(InstantSource.system().instant(), () -> raise(new NoClassDefFoundError("gone")));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(supervision.death().map(Supervision.Death::thread))
                      .contains("alarms"));
    }
  }

  private static boolean done(CountDownLatch latch) {
    return latch.getCount() == 0;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable cause) throws T {
    throw (T) cause;
  }
}
