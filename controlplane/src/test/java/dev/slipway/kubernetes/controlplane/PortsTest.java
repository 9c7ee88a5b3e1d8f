package dev.slipway.kubernetes.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.programs.ProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {
  @TempDir Path directory;

  @Test
  void ports_are_chosen_once_and_differ() throws IOException {
    Path file = directory.resolve("ports");
    Ports first = Ports.in(file);
    assertThat(Ports.in(file)).isEqualTo(first);
    assertThat(first.api()).isNotEqualTo(first.etcd()).isNotEqualTo(first.etcdPeer());
    assertThat(directory).isDirectoryNotContaining("glob:**.ports");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "20001\n", "20001\n20002\nmany\n"})
  void a_file_that_does_not_hold_them_is_named_with_what_to_do(String content) throws IOException {
    Path file = Files.writeString(directory.resolve("ports"), content);
    assertThatThrownBy(() -> Ports.in(file))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("Delete it");
  }
}
