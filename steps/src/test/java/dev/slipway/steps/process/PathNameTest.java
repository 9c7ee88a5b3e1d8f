package dev.slipway.steps.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathNameTest {
  private static final Path PROVIDERS = Path.of("/data/providers");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        ".",
        "",
        "../pg",
        "/etc",
        "a/../../pg",
        "...",
        "..\\pg",
        "a\u0000b",
        "\u2025",
        "~",
        "-rf",
        "volume"
      })
  void no_name_of_a_provider_leads_out_of_its_directory(String name) {
    assertThat(PathName.below(PROVIDERS, name).normalize().getParent()).isEqualTo(PROVIDERS);
  }
}
