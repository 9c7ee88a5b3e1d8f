package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApplicationNodesTest {
  @Test
  void a_resource_is_named_by_its_identity_and_places_end_in_their_environment() {
    ApplicationNodes here = new ApplicationNodes("default");
    assertThat(here.resource("postgres.default#shop.db"))
        .hasToString("resource:postgres.default#shop.db");
    assertThat(here.resource("postgres.default#main"))
        .hasToString("resource:postgres.default#main");
    assertThat(new ApplicationNodes("prod").spec("shop")).hasToString("spec:shop@prod");
  }
}
