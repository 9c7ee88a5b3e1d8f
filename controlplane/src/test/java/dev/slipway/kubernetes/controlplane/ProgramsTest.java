package dev.slipway.kubernetes.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
  private final List<String> said = new ArrayList<>();
  @TempDir Path assets;

  @Test
  void assets_with_all_programs_come_first() throws IOException {
    for (Program program : Program.values()) {
      put(program);
    }
    Programs found = Programs.find(Optional.of(assets.toString()), said::add);
    assertThat(found.origin()).isEqualTo("KUBEBUILDER_ASSETS (" + assets + ")");
    assertThat(found.file(Program.ETCD)).isEqualTo(assets.resolve("etcd"));
    assertThat(said).isEmpty();
  }

  @Test
  void assets_without_all_programs_are_not_mixed_with_others() throws IOException {
    put(Program.ETCD);
    put(Program.API_SERVER);
    Programs found = Programs.find(Optional.of(assets.toString()), said::add);
    assertThat(found.file(Program.ETCD)).isNotEqualTo(assets.resolve("etcd"));
    assertThat(said.getFirst())
        .isEqualTo(
            "KUBEBUILDER_ASSETS (%s) is not used: it has no kube-controller-manager, kube-scheduler, kwok, kubectl"
                .formatted(assets));
  }

  @Test
  void without_assets_each_program_is_in_the_cache() {
    Programs found = Programs.find(Optional.empty(), said::add);
    for (Program program : Program.values()) {
      assertThat(found.file(program)).isExecutable().hasFileName(program.file());
    }
    assertThat(found.origin()).contains("cache");
  }

  private void put(Program program) throws IOException {
    Path file = Files.createFile(assets.resolve(program.file()));
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
