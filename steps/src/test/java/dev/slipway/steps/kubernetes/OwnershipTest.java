package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.steps.Calls;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not the resource's own is never changed, and who may reach what is decided before. */
class OwnershipTest {
  private static final String APPLY =
      """
      operation: apply
      cluster: east
      namespace: @NS@
      conflicts: %s
      adopt: %s
      manifest: {apiVersion: v1, kind: ConfigMap, metadata: {name: thing}, data: {a: mine}}
      """;

  private static final String DELETE =
      "{operation: delete, cluster: east, kind: ConfigMap, name: thing, namespace: @NS@}";

  private final KubernetesSteps steps = new KubernetesSteps();

  @AfterEach
  void close() {
    steps.close();
  }

  private void exists(Map<String, String> annotations) {
    TestControlPlane.client()
        .configMaps()
        .inNamespace(steps.namespace)
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("thing")
                .withAnnotations(annotations)
                .endMetadata()
                .addToData("b", "theirs")
                .build())
        .create();
  }

  private ConfigMap live() {
    return TestControlPlane.client()
        .configMaps()
        .inNamespace(steps.namespace)
        .withName("thing")
        .get();
  }

  private String code(String yaml) {
    return steps.failed(yaml).error().code();
  }

  @Test
  void what_exists_without_the_stamp_is_not_ours_also_with_force() {
    exists(Map.of());
    ConfigMap before = live();
    assertThat(code(APPLY.formatted("force", "true"))).isEqualTo("not-ours");
    assertThat(code(DELETE)).isEqualTo("not-ours");
    assertThat(
            code(
                "{operation: patch, cluster: east, kind: ConfigMap, name: thing, namespace: @NS@,"
                    + " patch: {data: {b: mine}}}"))
        .isEqualTo("not-ours");
    assertThat(live()).isEqualTo(before);
  }

  @Test
  void what_another_resource_made_is_not_ours() {
    StepCall other =
        Calls.of(Optional.of(UUID.randomUUID()), steps.call(APPLY.formatted("fail", "false")));
    steps.outputs(other);
    ConfigMap before = live();
    assertThat(code(APPLY.formatted("force", "true"))).isEqualTo("not-ours");
    assertThat(code(DELETE)).isEqualTo("not-ours");
    assertThat(live()).isEqualTo(before);
  }

  @Test
  void an_object_is_adopted_when_both_sides_ask_and_is_kept_when_it_is_deleted() {
    exists(Map.of("slipway.dev/adopt-into", Calls.RESOURCE.toString()));
    assertThat(code(APPLY.formatted("fail", "false"))).isEqualTo("not-ours");
    steps.outputs(APPLY.formatted("fail", "true"));
    assertThat(live().getData()).containsEntry("a", "mine").containsEntry("b", "theirs");
    assertThat(steps.outputs(APPLY.formatted("fail", "false"))).containsEntry("changed", false);
    steps.outputs(DELETE);
    assertThat(live().getMetadata().getAnnotations()).doesNotContainKey("slipway.dev/owner");
    assertThat(code(APPLY.formatted("force", "false"))).isEqualTo("not-ours");
  }

  @Test
  void an_object_that_appears_between_the_look_and_the_request_is_not_applied_over() {
    // The request to create is refused when there is an object by then, of any owner.
    exists(Map.of());
    ConfigMap before = live();
    assertThat(CreateRace.createBlindly(steps)).isEqualTo(409);
    assertThat(live()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metadata: {name: thing, ownerReferences: [{apiVersion: v1, kind: Pod, name: x, uid: y}]}",
        "metadata: {name: thing, finalizers: [a.b/c]}",
        "metadata: {name: thing, labels: {slipway.dev/owner: x}}",
        "metadata: {name: thing, annotations: {slipway.dev/team: blue}}",
        "metadata: {name: thing, uid: x}",
        "metadata: {generateName: thing-}",
      })
  void fields_that_say_whose_an_object_is_cannot_be_set(String metadata) {
    assertThat(
            code(
                "{operation: apply, cluster: east, namespace: @NS@, manifest: {apiVersion: v1, kind:"
                    + " ConfigMap, "
                    + metadata
                    + "}}"))
        .isEqualTo("reserved-field");
    assertThat(live()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: thing}}",
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: thing}}",
        "{apiVersion: v1, kind: ResourceQuota, metadata: {name: thing}}",
        "{apiVersion: v1, kind: Endpoints, metadata: {name: thing}}",
        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: thing}}",
        "{apiVersion: v1, kind: Secret, type: kubernetes.io/service-account-token, metadata: {name:"
            + " thing}}",
      })
  void kinds_that_give_rights_or_reach_every_team_need_a_grant(String manifest) {
    String both =
        "{operation: apply, cluster: east, namespace: @NS@, manifest: [{apiVersion: v1, kind:"
            + " ConfigMap, metadata: {name: thing}}, "
            + manifest
            + "]}";
    assertThat(code(both)).isEqualTo("kind-not-granted");
    assertThat(live()).as("refused before any effect").isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_worker_whose_lease_has_ended_changes_nothing(int checksBefore) {
    // The lease is checked before a request, and again when its body is about to be sent.
    AtomicInteger checks = new AtomicInteger();
    RunLease ending =
        () -> {
          if (checks.getAndIncrement() >= checksBefore) {
            throw new InterruptedException("the lease has ended");
          }
        };
    StepCall call = Calls.leased(ending, steps.call(APPLY.formatted("fail", "false")));
    assertThatThrownBy(() -> steps.once(call)).hasCauseInstanceOf(InterruptedException.class);
    assertThat(live()).isNull();
  }

  @Test
  void a_service_cannot_take_the_addresses_of_others() {
    assertThat(
            code(
                "{operation: apply, cluster: east, namespace: @NS@, manifest: {apiVersion: v1, kind:"
                    + " Service, metadata: {name: thing}, spec: {ports: [{port: 80}], externalIPs:"
                    + " [10.0.0.9]}}}"))
        .isEqualTo("reserved-field");
  }

  @Test
  void a_granted_kind_can_be_used() {
    steps.granted("Role.rbac.authorization.k8s.io");
    steps.outputs(
        "{operation: apply, cluster: east, namespace: @NS@, manifest: {apiVersion:"
            + " rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: thing}, rules: []}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "somebody-elses", "team-a-elsewhere"})
  void namespaces_that_are_not_the_teams_are_refused(String namespace) {
    TestControlPlane.client()
        .namespaces()
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .createOr(old -> null);
    assertThat(
            code(
                "{operation: apply, cluster: east, manifest: {apiVersion: v1, kind: ConfigMap,"
                    + " metadata: {name: thing, namespace: "
                    + namespace
                    + "}}}"))
        .isEqualTo("namespace-not-granted");
    assertThat(
            code(
                "{operation: get, cluster: east, kind: Secret, name: thing, namespace: %s}"
                    .formatted(namespace)))
        .isEqualTo("namespace-not-granted");
  }

  @Test
  void a_namespace_that_a_step_makes_is_the_teams_and_goes_when_it_is_named() {
    String name = "team-a-" + steps.namespace;
    steps.outputs("{operation: create-namespace, cluster: east, name: %s}".formatted(name));
    StepCall sibling =
        Calls.of(
            Optional.of(UUID.randomUUID()),
            steps.call("{operation: create-namespace, cluster: east, name: %s}".formatted(name)));
    assertThat(steps.outputs(sibling)).containsEntry("changed", false);
    steps.outputs(
        "{operation: apply, cluster: east, manifest: {apiVersion: v1, kind: ConfigMap, metadata:"
            + " {name: thing, namespace: %s}}}".formatted(name));
    assertThat(TestControlPlane.client().configMaps().inNamespace(name).withName("thing").get())
        .isNotNull();
    String delete =
        "{operation: delete, wait: false, cluster: east, kind: Namespace, name: %s}"
            .formatted(name);
    assertThat(code(delete)).as("in a create run").isEqualTo("deletion-refused");
  }
}
