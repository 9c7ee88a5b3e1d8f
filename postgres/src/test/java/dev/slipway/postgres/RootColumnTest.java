package dev.slipway.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.NodeRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RootColumnTest {
  @ParameterizedTest
  @CsvSource({
    "application:shop, default, shop",
    "application:shop@prod, prod, shop",
    "stack:shop, default, stack:shop",
    "stack:shop@prod, prod, stack:shop@prod",
    "buoy:elbe, prod, buoy:elbe"
  })
  void a_root_is_read_as_it_was_stored(String root, String environment, String stored) {
    NodeRef ref = NodeRef.parse(root).orElseThrow();
    assertThat(RootColumn.text(ref)).isEqualTo(stored);
    assertThat(RootColumn.ref(stored, environment)).isEqualTo(ref);
  }

  @Test
  void nothing_stored_is_no_root() {
    assertThat(RootColumn.text(null)).isNull();
    assertThat(RootColumn.ref(null, "prod")).isNull();
  }
}
