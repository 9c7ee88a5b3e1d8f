package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.testbed.GitRepository;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A push whose lease ends. A push that is cancelled while its connection is open returns only after
 * 20 seconds, the limit of a server's silence: the transport waits for a report on what it has not
 * sent. That makes this class slow on any machine.
 */
@Tag("proof")
@Timeout(300)
class LostPushTest {
  @TempDir Path directory;
  private final AtomicInteger asked = new AtomicInteger();

  /** A lease that has ended at the nth check. */
  private RunLease endingAt(int nth) {
    return () -> {
      if (asked.incrementAndGet() >= nth) {
        throw new InterruptedException("the lease has ended");
      }
    };
  }

  @Test
  void nothing_is_pushed_after_the_lease() throws IOException {
    GitRepository repository = GitRepository.create(directory, "shop");
    repository.write("keep.txt", "kept").commit("first");
    GitExecutor git =
        new GitExecutor(
            new Workspaces(directory.resolve("data"), (run, other) -> false),
            Map::of,
            new HostRules(),
            InstantSource.system());

    for (Map<String, Object> effect :
        List.<Map<String, Object>>of(
            Map.of("files", Map.of("a", "b")), Map.of("operation", "tag", "tag", "v1"))) {
      Map<String, Object> config = new HashMap<>(effect);
      config.put("repository", repository.url());
      // Before the connection is opened, and after.
      for (int nth : List.of(1, 2)) {
        asked.set(0);
        assertThatThrownBy(() -> git.execute(Calls.leased(endingAt(nth), Calls.of("git", config))))
            .isInstanceOf(InterruptedException.class);
      }
    }

    assertThat(GitRepository.git(repository.bare(), "log", "--all", "--format=%s").strip())
        .isEqualTo("first");
    assertThat(GitRepository.git(repository.bare(), "tag")).isEmpty();
  }
}
