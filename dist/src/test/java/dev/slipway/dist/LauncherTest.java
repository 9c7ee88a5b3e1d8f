package dev.slipway.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"", "24m", "64m", "112m", "1g"})
  void a_heap_of_any_size_can_be_asked_for(String heap) throws Exception {
    // The JVM looks at its sizes before it tells its version.
    Layout.Result result =
        new Layout(directory)
            .with("SLIPWAY_HEAP", heap)
            .with("SLIPWAY_JAVA_OPTS", "-version")
            .slipway("up");
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.err()).contains("Runtime Environment").doesNotContain("rror");
  }
}
