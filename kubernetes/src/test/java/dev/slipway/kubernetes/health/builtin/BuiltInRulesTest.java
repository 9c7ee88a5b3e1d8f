package dev.slipway.kubernetes.health.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.Manifests;
import dev.slipway.kubernetes.health.assess.RuleVerdict;
import dev.slipway.kubernetes.health.builtin.VaultServers.State;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BuiltInRulesTest {
  static List<LiveObject> objects() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            BuiltInRulesTest.class.getResourceAsStream(
                "/dev/slipway/kubernetes/health/objects.yaml"))) {
      return Manifests.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @TestFactory
  List<DynamicTest> every_kind_is_judged_as_the_table_says() throws IOException {
    return objects().stream()
        .map(
            object ->
                DynamicTest.dynamicTest(
                    object.name() + " " + object.kind(),
                    () ->
                        assertThat(status(object))
                            .as("%s", object.fields())
                            .isEqualTo(object.text("metadata", "labels", "expect"))))
        .toList();
  }

  private static String status(LiveObject object) {
    RuleVerdict verdict = HealthRules.BUILT_IN.judge(object, Neighbours.NONE);
    return verdict.health().map(ObjectHealth::status).map(h -> h.text()).orElse("");
  }

  @Test
  void a_postgresql_cluster_is_healthy_when_as_many_instances_are_ready_as_it_asks_for() {
    LiveObject cluster =
        Manifests.one(
            """
            apiVersion: acid.zalan.do/v1
            kind: postgresql
            metadata: {name: orders, namespace: shop}
            spec: {numberOfInstances: 2}
            status: {PostgresClusterStatus: Running}
            """);
    assertThat(withStatefulSet(cluster, 1)).isEqualTo("Progressing");
    assertThat(withStatefulSet(cluster, 2)).isEqualTo("Healthy");
  }

  private static String withStatefulSet(LiveObject cluster, int ready) {
    LiveObject set =
        Manifests.one(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: orders, namespace: shop}
            status: {readyReplicas: %d}
            """
                .formatted(ready));
    Neighbours others =
        (kind, namespace, name) ->
            kind.equals(set.groupKind()) && namespace.equals("shop") && name.equals("orders")
                ? Optional.of(set)
                : Optional.empty();
    return HealthRules.BUILT_IN.judge(cluster, others).health().orElseThrow().status().text();
  }

  @Test
  void a_ceph_cluster_that_warns_passes_only_where_that_is_allowed() {
    LiveObject cluster =
        Manifests.one(
            """
            apiVersion: ceph.rook.io/v1
            kind: CephCluster
            metadata: {name: ceph}
            status: {phase: Ready, ceph: {health: HEALTH_WARN}}
            """);
    assertThat(status(cluster)).isEqualTo("Degraded");
    Optional<ObjectHealth> lenient =
        new CephClusterRule(CephClusterRule.Warnings.PASS).judge(cluster, Neighbours.NONE);
    assertThat(lenient.orElseThrow().status().text()).isEqualTo("Healthy");
  }

  @Test
  void a_vault_is_healthy_when_all_servers_are_unsealed_and_exactly_one_is_active() {
    assertThat(vault(State.ACTIVE, State.STANDBY)).isEqualTo("Healthy");
    assertThat(vault(State.ACTIVE, State.SEALED)).isEqualTo("Degraded");
    assertThat(vault(State.STANDBY, State.STANDBY)).isEqualTo("Degraded");
    assertThat(vault(State.ACTIVE, State.ACTIVE)).isEqualTo("Degraded");
    assertThat(vault(State.UNINITIALISED, State.UNINITIALISED)).isEqualTo("Progressing");
    assertThat(vault(State.ACTIVE, State.NO_ANSWER)).isEqualTo("Unknown");
    assertThat(vault()).isEqualTo("Unknown");
    assertThat(VaultServers.ofCode(473)).isEqualTo(State.STANDBY);
    assertThat(VaultServers.ofCode(302)).isEqualTo(State.NO_ANSWER);
  }

  private static String vault(State... servers) {
    return VaultServers.judge(List.of(servers)).status().text();
  }

  @Test
  void a_server_of_vault_is_known_by_the_labels_of_its_pod() {
    assertThat(labelled("'true', vault-sealed: 'false', vault-active: 'true'"))
        .contains(State.ACTIVE);
    assertThat(labelled("'true', vault-sealed: 'false', vault-active: 'false'"))
        .contains(State.STANDBY);
    assertThat(labelled("'true', vault-sealed: 'true'")).contains(State.SEALED);
    assertThat(labelled("'false', vault-sealed: 'true'")).contains(State.UNINITIALISED);
    assertThat(VaultServers.ofLabels(Manifests.one("{apiVersion: v1, kind: Pod}"))).isEmpty();
  }

  private static Optional<State> labelled(String labels) {
    return VaultServers.ofLabels(
        Manifests.one(
            "{apiVersion: v1, kind: Pod, metadata: {labels: {vault-initialized: "
                + labels
                + "}}}"));
  }
}
