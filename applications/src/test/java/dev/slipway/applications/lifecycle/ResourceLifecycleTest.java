package dev.slipway.applications.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.resolve.ProviderTestForms;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourceLifecycleTest {
  /** From the reference, one line a state: where it may go. */
  private static final String RESOURCES =
      """
      requested: provisioning failed deleted
      provisioning: active failed deprovisioning
      active: updating degraded failed deprovisioning
      updating: active degraded failed deprovisioning
      degraded: active updating failed deprovisioning
      failed: deprovisioning provisioning updating requested deleted
      deprovisioning: deleted failed
      deleted: requested
      """;

  @Test
  void every_pair_of_resource_states_is_allowed_or_refused_as_the_reference_says() {
    Set<String> allowed = new HashSet<>();
    RESOURCES
        .lines()
        .forEach(
            line -> {
              String[] parts = line.split(": ");
              for (String to : parts[1].split(" ")) {
                allowed.add(parts[0] + " " + to);
              }
            });
    int refused = 0;
    for (ResourceState from : ResourceState.values()) {
      for (ResourceState to : ResourceState.values()) {
        boolean may = allowed.contains(from.text() + " " + to.text());
        assertThat(ResourceLifecycle.TABLE.allows(from, to)).as(from + " -> " + to).isEqualTo(may);
        if (!may) {
          refused++;
          assertThatThrownBy(() -> ResourceLifecycle.TABLE.check("resource x", from, to))
              .hasMessage("resource x cannot transition from " + from.text() + " to " + to.text());
        }
      }
    }
    assertThat(refused).isEqualTo(64 - allowed.size());
  }

  @Test
  void every_state_can_be_reached() {
    for (ResourceState state : ResourceState.values()) {
      assertThat(ResourceLifecycle.TABLE.rows()).anyMatch(r -> r.to() == state);
    }
  }

  @Test
  void cases_of_providers_may_expect_each_of_the_states() {
    assertThat(Arrays.stream(ResourceState.values()).map(State::text))
        .containsExactlyElementsOf(ProviderTestForms.RESOURCE_STATES);
  }
}
