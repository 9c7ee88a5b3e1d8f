package dev.slipway.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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

  @Test
  void kubectl_without_an_embedded_cluster_says_how_to_have_one() throws Exception {
    Layout.Result result =
        new Layout(directory).with("SLIPWAY_DATA", directory.toString()).slipway("kubectl", "get");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains("there is no embedded cluster in " + directory.resolve("cluster"))
        .contains("slipway up --cluster embedded");
  }

  @Test
  void kubectl_has_the_kubeconfig_of_the_embedded_cluster() throws Exception {
    Path kubectl = Files.createDirectory(directory.resolve("cluster")).resolve("kubectl");
    Files.writeString(kubectl, "#!/bin/sh\necho \"$KUBECONFIG\" \"$@\"\n");
    assertThat(kubectl.toFile().setExecutable(true)).isTrue();
    Layout.Result result =
        new Layout(directory)
            .with("SLIPWAY_DATA", directory.toString())
            .slipway("kubectl", "get", "pods", "-A");
    assertThat(result.out().strip())
        .isEqualTo(directory.resolve("cluster/kubeconfig") + " get pods -A");
  }
}
