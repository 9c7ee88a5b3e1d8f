package dev.slipway.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.graph.NodeKind.Scope;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeRefTest {
  private static final NodeKind RESOURCE = new NodeKind("resource", "resource", Scope.ENVIRONMENT);

  @ParameterizedTest
  @CsvSource({
    "spec:shop, spec, shop, default",
    "resource:shop:db@prod, resource, shop:db, prod",
    "resource:postgres.default#main, resource, postgres.default#main, default",
    "provider:git-repo, provider, git-repo, default"
  })
  void a_text_names_kind_name_and_environment(
      String text, String prefix, String name, String environment) {
    assertThat(NodeRef.parse(text)).contains(new NodeRef(prefix, name, environment));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "shop", ":shop", "spec:", "spec:@prod", "spec:shop@", "a:b@default"})
  void a_text_that_is_not_canonical_is_no_reference(String text) {
    assertThat(NodeRef.parse(text)).isEmpty();
  }

  @Test
  void every_reference_reads_back_from_its_text_and_no_two_share_one() {
    Random random = new Random(3);
    List<String> parts = List.of("a", "b", ":", "@", "#", ".", "default", "-");
    for (int round = 0; round < 5000; round++) {
      NodeRef one = random(random, parts);
      NodeRef other = random(random, parts);
      assertThat(NodeRef.parse(one.text())).contains(one);
      assertThat(one.text().equals(other.text())).isEqualTo(one.equals(other));
    }
  }

  private static NodeRef random(Random random, List<String> parts) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i <= random.nextInt(3); i++) {
      name.append(parts.get(random.nextInt(parts.size())));
    }
    return RESOURCE.ref(name.toString(), random.nextBoolean() ? "default" : "prod");
  }

  @Test
  void a_kind_of_the_whole_installation_has_no_environment() {
    assertThat(TrunkKinds.PROVIDER.ref("volume", "prod")).hasToString("provider:volume");
    assertThat(RESOURCE.ref("shop:db", "prod")).hasToString("resource:shop:db@prod");
    assertThat(RESOURCE.ref("shop:db").is(RESOURCE)).isTrue();
    assertThat(RESOURCE.ref("shop:db").is(TrunkKinds.RUN)).isFalse();
  }

  @Test
  void a_prefix_that_would_make_texts_ambiguous_is_refused() {
    assertThatThrownBy(() -> new NodeKind("a:b", "x", Scope.ENVIRONMENT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new NodeRef("spec", "", "default"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
