package dev.slipway.kubernetes.health.assess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.health.Stale;
import dev.slipway.kubernetes.health.Applied;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.health.assess.ObjectAggregate.Expected;
import dev.slipway.kubernetes.health.assess.ObjectAggregate.Live;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RevisionTest {
  private static LiveObject object(String metadata, String status) {
    return Manifests.one(
        "{apiVersion: x/v1, kind: Widget, metadata: {name: a, %s}, status: {%s}}"
            .formatted(metadata, status));
  }

  private static List<String> stale(LiveObject now) {
    Applied applied = Applied.of(object("uid: u1, generation: 3", ""));
    return applied.stale(now).stream().map(Stale::toString).toList();
  }

  @Test
  void health_is_of_this_revision_when_uid_and_generations_agree() {
    assertThat(stale(object("uid: u1, generation: 3", "observedGeneration: 3"))).isEmpty();
    assertThat(stale(object("uid: u1, generation: 4", "observedGeneration: 4"))).isEmpty();
    assertThat(stale(object("uid: u1, generation: 3", ""))).isEmpty();
  }

  @Test
  void health_from_before_is_told_by_the_test_that_fails() {
    assertThat(stale(object("uid: u2, generation: 3", "observedGeneration: 3")))
        .singleElement()
        .asString()
        .contains("uid");
    assertThat(stale(object("uid: u1, generation: 2", "observedGeneration: 2")))
        .singleElement()
        .asString()
        .contains("generation");
    assertThat(stale(object("uid: u1, generation: 3", "observedGeneration: 2")))
        .singleElement()
        .asString()
        .contains("observedGeneration");
  }

  private static Expected is(String name, String ready, String annotations) {
    LiveObject object =
        Manifests.one(
            "{apiVersion: x/v1, kind: Widget, metadata: {name: a, annotations: {%s}}, status: {%s}}"
                .formatted(
                    annotations,
                    ready.isEmpty() ? "" : "conditions: [{type: Ready, status: '" + ready + "'}]"));
    Live live = new Live(object, HealthRules.BUILT_IN.judge(object, Neighbours.NONE));
    return new Expected(name, Optional.of(live));
  }

  private static String all(Expected... objects) {
    ObjectHealth health = ObjectAggregate.of(List.of(objects));
    return health.status().text() + " " + health.message();
  }

  @Test
  void the_worst_object_wins() {
    Expected gone = new Expected("gone", Optional.empty());
    assertThat(all(is("a", "True", ""), is("b", "False", "")))
        .isEqualTo("Progressing b is Progressing");
    assertThat(all(is("a", "True", ""), gone)).isEqualTo("Degraded gone is Missing");
    assertThat(all(gone)).isEqualTo("Missing gone is Missing");
    assertThat(all(is("a", "True", ""), is("b", "True", ""))).isEqualTo("Healthy ");
    assertThat(
            all(
                is("a", "False", ""),
                is("b", "False", ""),
                is("c", "False", ""),
                is("d", "False", "")))
        .endsWith("c is Progressing and 1 more");
  }

  @Test
  void what_is_left_out_does_not_count_and_nothing_else_is_unknown() {
    assertThat(all()).isEqualTo("Unknown no object has a health");
    assertThat(all(is("a", "", ""))).startsWith("Unknown");
    assertThat(all(is("a", "False", "argocd.argoproj.io/ignore-healthcheck: 'true'")))
        .startsWith("Unknown");
    assertThat(all(is("a", "False", "helm.sh/hook: pre-install"), is("b", "True", "")))
        .isEqualTo("Healthy ");
  }
}
