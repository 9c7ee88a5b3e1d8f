package dev.slipway.steps.terraform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.steps.Calls;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateKeyTest {
  private static final StepCall.Scope SCOPE = Calls.of("terraform", Map.of()).scope();

  @Test
  void a_name_is_kept_below_its_provider_and_environment() {
    assertThat(StateKey.named(SCOPE, "team-a/net_1.x"))
        .isEqualTo("named/volume/default/team-a/net_1.x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "..", "../x", "a/../b", "/a", "a/", "a//b", "-rf", "a b", "a\u0000", "a\nb", "ä"
      })
  void a_name_that_means_something_else_is_refused(String name) {
    assertThatThrownBy(() -> StateKey.named(SCOPE, name))
        .isInstanceOf(TerraformFailure.class)
        .hasMessageContaining("cannot be part of the name of a state");
  }

  @Test
  void a_huge_name_is_refused_and_shown_in_part() {
    assertThatThrownBy(() -> StateKey.named(SCOPE, "x".repeat(5_000)))
        .isInstanceOf(TerraformFailure.class)
        .message()
        .hasSizeLessThan(200);
  }
}
