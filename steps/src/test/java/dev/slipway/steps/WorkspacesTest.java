package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspacesTest {
  @TempDir Path data;

  @Test
  void workspaces_of_runs_that_are_no_longer_needed_are_removed_with_everything_in_them()
      throws IOException {
    Workspaces workspaces = new Workspaces(data, (run, other) -> false);
    UUID needed = UUID.randomUUID();
    UUID over = UUID.randomUUID();
    Path kept = Files.createDirectories(workspaces.of("team", needed).resolve("a"));
    Path gone = Files.createDirectories(workspaces.of("../team", over).resolve("b"));
    Files.createSymbolicLink(gone.resolve("link"), kept);
    workspaces.tidy(
        there -> {
          assertThat(there).containsExactlyInAnyOrder(needed, over);
          return Set.of(needed);
        });
    assertThat(kept).exists();
    assertThat(gone).doesNotExist();
    assertThat(gone.getParent()).doesNotExist();
    assertThat(gone.toString()).startsWith(data.toString()).doesNotContain("..");
  }
}
