package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server executes real steps unless its operator asked for recorded ones. */
class RecordedOptionTest {
  private static Options parse(Map<String, String> environment, String... arguments) {
    return Options.parse(List.of(arguments), environment::get);
  }

  @Test
  void recorded_steps_are_a_flag_and_never_a_setting() {
    assertThat(parse(Map.of("SLIPWAY_RECORDED", "x")).recorded()).isEmpty();
    assertThat(Options.USAGE).doesNotContain("recorded");
    Options asked = parse(Map.of(), "--recorded", "x.json", "--listen", "127.0.0.1:0");
    assertThat(asked.recorded()).isPresent();
    assertThat(asked.bundled()).isEmpty();
  }

  @Test
  void recorded_steps_are_refused_with_a_database_of_others_and_on_open_interfaces() {
    for (String[] arguments :
        List.of(
            new String[] {"--recorded", "x", "--database", "jdbc:postgresql://db/slipway"},
            new String[] {"--recorded", "x", "--listen", "0.0.0.0:8081"},
            new String[] {"--recorded", "x", "--listen", "[::]:8081"})) {
      assertThatThrownBy(() -> parse(Map.of(), arguments))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("provider test");
    }
    assertThatThrownBy(
            () ->
                parse(
                    Map.of("SLIPWAY_DATABASE", "jdbc:postgresql://db/slipway"), "--recorded", "x"))
        .isInstanceOf(StartFailure.class);
  }
}
