package dev.slipway.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.postgres.DatabaseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "99999"})
  void a_remembered_port_that_is_none_is_chosen_anew(String content) throws IOException {
    Path file = Files.writeString(directory.resolve("pg.port"), content);
    int port = Ports.choose(file, OptionalInt.empty());
    assertThat(port).isPositive();
    assertThat(file).hasContent(String.valueOf(port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many"})
  void a_port_that_workloads_have_is_never_chosen_anew(String content) throws IOException {
    Path file = Files.writeString(directory.resolve("pg.port"), content);
    assertThatThrownBy(() -> Ports.kept(file))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("write that port into the file");
    assertThat(file).hasContent(content);
  }

  @Test
  void a_port_that_is_kept_stays() throws IOException {
    Path file = directory.resolve("pg.port");
    int first = Ports.kept(file);
    assertThat(Ports.kept(file)).isEqualTo(first);
  }
}
