package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderWatchTest {
  @TempDir Path root;

  @Test
  void a_changed_file_swaps_the_registry_and_an_unchanged_one_does_not() throws Exception {
    Path directory = ProviderFiles.write(root.resolve("a"), ProviderFiles.simple("a-team", "s3"));
    LiveRegistry live =
        new LiveRegistry(ProviderFiles.LOADER, List.of(ProviderSource.directory(directory, 0)));
    Registry first = live.reload();
    AtomicInteger swaps = new AtomicInteger();
    live.onSwap((before, now) -> swaps.incrementAndGet());
    try (ProviderWatch watch =
        ProviderWatch.start(live, Duration.ofSeconds(2), Threads.OF_MACHINE)) {
      ProviderFiles.write(directory, ProviderFiles.simple("a-team", "s3"));
      ProviderFiles.write(directory, ProviderFiles.simple("a-team", "s3", "bucket"));
      await().atMost(Duration.ofSeconds(60)).until(() -> live.current().types().contains("bucket"));
      assertThat(live.current()).isNotSameAs(first);
      assertThat(first.types()).containsExactly("s3");
      // Listeners are called after the swap.
      await().until(() -> swaps.get() == 1);
    }
    assertThat(swaps).hasValue(1);
  }

  @Test
  void a_watch_that_an_error_ends_is_known() throws Exception {
    Path directory = ProviderFiles.write(root.resolve("a"), ProviderFiles.simple("a-team", "s3"));
    LiveRegistry live =
        new LiveRegistry(ProviderFiles.LOADER, List.of(ProviderSource.directory(directory, 0)));
    live.reload();
    live.onSwap(
        (before, now) -> {
          throw new NoClassDefFoundError("dev/slipway/Gone");
        });
    Supervision supervision = new Supervision(() -> {});
    try (ProviderWatch watch =
        ProviderWatch.start(live, Duration.ofMillis(100), Threads.supervised(supervision))) {
      ProviderFiles.write(directory, ProviderFiles.simple("a-team", "s3", "bucket"));
      await().atMost(Duration.ofSeconds(60)).until(() -> supervision.death().isPresent());
    }
    assertThat(supervision.death().orElseThrow().thread()).isEqualTo("provider-watch");
  }
}
