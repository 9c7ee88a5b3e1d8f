package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApplicationReconcilerTest {
  private final Yard yard = new Yard();
  private final CountDownLatch died = new CountDownLatch(1);
  private final Supervision supervision = new Supervision(died::countDown);

  @AfterEach
  void close() {
    yard.close();
  }

  @Test
  void an_error_while_an_application_is_moved_on_ends_the_loop_by_name() {
    AssertionError defect = new AssertionError("a defect");
    wakes();
    try (ReconcileLoop loop = loop(() -> raise(defect))) {
      await().atMost(Duration.ofSeconds(60)).until(() -> died.getCount() == 0);
      Supervision.Death death = supervision.death().orElseThrow();
      assertThat(death.thread()).startsWith("reconcile application ");
      assertThat(death.cause()).isSameAs(defect);
    }
  }

  @Test
  void a_stack_that_is_too_small_for_one_application_leaves_the_loop_to_others() {
    wakes();
    try (ReconcileLoop loop = loop(() -> raise(new StackOverflowError()))) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> putOff() == 1 || supervision.death().isPresent());
      assertThat(supervision.death()).isEmpty();
    }
  }

  private static Registry raise(Error error) {
    throw error;
  }

  /** One whose registry is only asked for while an application is moved on. */
  private ReconcileLoop loop(Supplier<Registry> registry) {
    ApplicationContext context =
        new ApplicationContext(
            yard.database.jdbi(),
            registry,
            () -> yard.config,
            yard.box,
            yard.notifications,
            yard.clock,
            UUID::randomUUID,
            ApplicationContext.Failures.NONE);
    return YardLoop.loop(
            context, new ApplicationReconciler(context, yard.runs), Threads.supervised(supervision))
        .start();
  }

  private void wakes() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
    yard.deploy(ApplicationStoreTest.SHOP);
    yard.loop.wakeAll();
  }

  private int putOff() {
    return yard.database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT count(*) FROM timers WHERE failures = 1 AND due_at > :now")
                    .bind("now", yard.clock.instant())
                    .mapTo(Integer.class)
                    .one());
  }
}
