package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.postgres.Page;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many people at once on the same few things, while runs end and applications move on. */
class CrowdTest {

  private static String app(int name, int size) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: app-%d}
    containers: {web: {image: nginx, variables: {H: "${resources.db.host}"}}}
    resources:
      db: {type: postgres, id: main}
      api: {type: service, params: {size: %d, url: "${resources.db.host}"}}
      more: {type: service, params: {url: "${resources.api.host}"}}
    """
        .formatted(name, size);
  }

  @Test
  void deployments_that_share_resources_never_block_each_other_for_good() throws Exception {
    try (Yard yard = new Yard()) {
      yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
      Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
      AtomicInteger people = new AtomicInteger(4);
      try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int person = 0; person < 4; person++) {
          Random random = new Random(person);
          crowd.execute(
              () -> {
                try {
                  ask(yard, random);
                } catch (Throwable e) {
                  broken.add(e);
                } finally {
                  people.decrementAndGet();
                }
              });
        }
        crowd.execute(
            () -> {
              try {
                while (people.get() > 0) {
                  work(yard);
                }
              } catch (Throwable e) {
                broken.add(e);
              }
            });
        crowd.shutdown();
        assertThat(crowd.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(broken).isEmpty();
      for (int name = 0; name < 3; name++) {
        yard.deploy(app(name, 9));
      }
      yard.settle();
      List<Applications.Summary> all =
          yard.applications.list(Yard.ANN, Applications.Filter.ALL, Page.Ask.FIRST).data();
      assertThat(all).extracting(Applications.Summary::state).containsOnly("active").hasSize(3);
    }
  }

  private static void ask(Yard yard, Random random) {
    for (int i = 0; i < 12; i++) {
      int name = random.nextInt(3);
      try {
        if (random.nextInt(4) == 0) {
          yard.destroy("app-" + name);
        } else {
          yard.deploy(app(name, random.nextInt(3)));
        }
      } catch (RefusedException e) {
        assertThat(e.getMessage()).contains("no application");
      }
    }
  }

  private static void work(Yard yard) {
    for (ClaimedRun run : yard.claim()) {
      yard.end(yard.begin(run));
    }
    yard.loop.advanceDue();
  }
}
