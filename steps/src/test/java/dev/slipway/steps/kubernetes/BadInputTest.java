package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.engine.value.Secrets;
import dev.slipway.steps.Calls;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is wrong is said with its place and what to do; what may pass is waited for. */
class BadInputTest {
  private static final String APPLY =
      """
      operation: apply
      cluster: east
      namespace: @NS@
      manifest: |
        %s
      """;

  private final KubernetesSteps steps = new KubernetesSteps();
  private final KubernetesClient client = TestControlPlane.client();

  @AfterEach
  void close() {
    steps.close();
  }

  private static String apply(String manifest) {
    return APPLY.formatted(manifest.replace("\n", "\n  "));
  }

  private static String configMap(String data) {
    return apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: thing}\ndata: " + data);
  }

  private StepError error(String yaml) {
    return steps.failed(yaml).error();
  }

  private Result.Parked parked(StepCall call) {
    Result result = steps.once(call);
    assertThat(result).isInstanceOf(Result.Parked.class);
    return (Result.Parked) result;
  }

  @Test
  void an_unknown_field_is_named_with_its_line() {
    StepError error =
        error(
            apply(
                """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec:
                  ports:
                  - port: 80
                    targetPart: 8080
                """));
    assertThat(error.code()).isEqualTo("invalid-manifest");
    assertThat(error.message()).contains("targetPart (manifest:7:5) is no field of this kind");
  }

  @Test
  void an_invalid_value_has_the_servers_words_and_its_line() {
    StepError error =
        error(
            apply(
                """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec:
                  ports:
                  - port: 99999
                """));
    assertThat(error.code()).isEqualTo("invalid-manifest");
    assertThat(error.message())
        .contains("spec.ports[0].port (manifest:6:5)")
        .contains("must be between 1 and 65535");
  }

  @Test
  void an_unknown_kind_of_kubernetes_itself_is_an_error_with_the_nearest_one() {
    StepError error = error(apply("apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: web}"));
    assertThat(error.code()).isEqualTo("unknown-kind");
    assertThat(error.hint()).contains("Did you mean Deployment?");
  }

  @Test
  void a_kind_whose_definition_appears_later_is_waited_for() {
    steps.granted("CustomResourceDefinition.apiextensions.k8s.io");
    StepCall call =
        steps.call(
            apply("apiVersion: late.example.org/v1\nkind: Late\nmetadata: {name: one}\nspec: {}"));
    Result.Parked waiting = parked(call);
    assertThat(waiting.memory().get(Result.Parked.SEEN).toString()).contains("no kind Late");
    steps.outputs(apply(definition("late.example.org", "Late")));
    assertThat(steps.outputs(Calls.resumed(call, waiting.memory()))).containsEntry("name", "one");
  }

  @Test
  void a_definition_and_its_objects_are_applied_in_one_step() {
    steps.granted("CustomResourceDefinition.apiextensions.k8s.io");
    String both =
        apply(
            "apiVersion: both.example.org/v1\nkind: Both\nmetadata: {name: one}\nspec: {size: 1}\n---\n"
                + definition("both.example.org", "Both"));
    assertThat(steps.outputs(both)).containsEntry("name", "one").containsEntry("changed", true);
    assertThat(steps.outputs(both)).containsEntry("changed", false);
  }

  private static String definition(String group, String kind) {
    String plural = kind.toLowerCase() + "s";
    return """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %s.%s}
        spec:
          group: %s
          scope: Namespaced
          names: {kind: %s, plural: %s}
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """
        .formatted(plural, group, group, kind, plural);
  }

  @Test
  void a_conflict_names_the_other_manager_and_the_fields_and_force_takes_them() {
    steps.outputs(configMap("{a: ours, b: ours}"));
    client
        .configMaps()
        .inNamespace(steps.namespace)
        .withName("thing")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("other-tool")
                .withForce(true)
                .build(),
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("thing")
                .endMetadata()
                .addToData("a", "theirs")
                .build());
    StepError error = error(configMap("{a: ours, b: ours}"));
    assertThat(error.code()).isEqualTo("conflict");
    assertThat(error.message()).contains("'other-tool'").contains("data.a (manifest:4:");
    assertThat(steps.outputs(configMap("{a: ours, b: ours}") + "conflicts: force"))
        .containsEntry("changed", true);
    assertThat(data()).containsEntry("a", "ours");
  }

  private Map<String, String> data() {
    return client.configMaps().inNamespace(steps.namespace).withName("thing").get().getData();
  }

  @Test
  void a_forbidden_request_names_the_rule_that_would_allow_it() {
    TestNamespace namespace = new TestNamespace(steps.namespace);
    String kubeconfig =
        namespace.user("limited", TestNamespace.allow("", List.of("configmaps"), "get")).text();
    steps.configure(
        Map.of("east", KubernetesSteps.settings(kubeconfig, List.of(steps.namespace), List.of())));
    StepError error = error(configMap("{a: b}"));
    assertThat(error.code()).isEqualTo("cluster-forbidden");
    assertThat(error.message()).contains("cannot patch resource \"configmaps\"");
    assertThat(error.hint())
        .contains("Role in namespace " + steps.namespace)
        .contains("resources: ['configmaps']")
        .contains("system:serviceaccount:" + steps.namespace + ":limited");
  }

  @Test
  void a_step_acts_as_the_user_of_its_team() {
    steps.configure(
        Map.of(
            "east",
            new ClusterSettings(
                new Access.Kubeconfig(
                    TestControlPlane.shared().administrator().text(), Optional.empty()),
                Optional.of("system:serviceaccount:{team}:deployer"),
                List.of(),
                Map.of(
                    KubernetesSteps.TEAM,
                    new ClusterSettings.TeamPlace(List.of(steps.namespace), Optional.empty())))));
    assertThat(error(configMap("{a: b}")).message())
        .contains("User \"system:serviceaccount:team-a:deployer\" cannot get");
  }

  @Test
  void an_object_that_is_too_large_is_refused_with_its_size() {
    String large = configMap("{a: '{{ .parameters.x }}', b: '{{ .parameters.x }}'}");
    String larger = large.replace("b: ", "c: '{{ .parameters.x }}', d: '{{ .parameters.x }}', b: ");
    Map<String, Object> parameters = Map.of("x", "x".repeat(900_000));
    StepError error = steps.failed(steps.call(larger, parameters)).error();
    assertThat(error.code()).isEqualTo("object-too-large");
    assertThat(error.message()).hasSizeLessThan(500);
    StepError judged = steps.failed(steps.call(large, parameters)).error();
    assertThat(judged.code()).isEqualTo("invalid-manifest");
    assertThat(judged.message()).contains("1048576").hasSizeLessThan(1_000);
  }

  @Test
  void a_namespace_that_is_being_deleted_is_waited_for() {
    client
        .configMaps()
        .inNamespace(steps.namespace)
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("holder")
                .withFinalizers("example.org/hold")
                .endMetadata()
                .build())
        .create();
    client.namespaces().withName(steps.namespace).delete();
    Result.Parked waiting = parked(steps.call(configMap("{a: b}")));
    assertThat(waiting.memory().get(Result.Parked.SEEN).toString()).contains("being deleted");
    client
        .configMaps()
        .inNamespace(steps.namespace)
        .withName("holder")
        .edit(
            map -> new ConfigMapBuilder(map).editMetadata().withFinalizers().endMetadata().build());
  }

  @Test
  void a_missing_namespace_says_how_to_make_it() {
    steps.configure(
        Map.of(
            "east",
            KubernetesSteps.settings(
                TestControlPlane.shared().administrator().text(),
                List.of("never-made"),
                List.of())));
    StepError error =
        error(
            "{operation: apply, cluster: east, namespace: never-made, manifest: {apiVersion: v1,"
                + " kind: ConfigMap, metadata: {name: a}}}");
    assertThat(error.code()).isEqualTo("namespace-missing");
    assertThat(error.hint()).contains("create-namespace");
  }

  @Test
  void a_cluster_that_is_down_is_waited_for_without_a_worker_and_then_the_step_goes_on() {
    ClusterSettings real =
        KubernetesSteps.settings(
            TestControlPlane.shared().administrator().text(), List.of(steps.namespace), List.of());
    String away =
        TestControlPlane.shared()
            .administrator()
            .text()
            .replaceAll("https://127.0.0.1:[0-9]+", "https://127.0.0.1:1");
    steps.configure(
        Map.of("east", KubernetesSteps.settings(away, List.of(steps.namespace), List.of())));
    StepCall call = steps.call(configMap("{a: b}"));
    Result.Parked waiting = parked(call);
    assertThat(waiting.waitingFor()).isEqualTo("cluster 'east' to answer");
    Result.Parked again = parked(Calls.resumed(call, waiting.memory()));
    assertThat(again.memory().get(Result.Parked.SEEN).toString()).contains("did not answer");
    steps.configure(Map.of("east", real));
    assertThat(steps.outputs(Calls.resumed(call, again.memory()))).containsEntry("changed", true);
  }

  @Test
  void an_expired_token_is_waited_for_until_there_is_a_new_one() {
    String right = TestControlPlane.shared().administrator().text();
    String wrong = right.replaceAll("token: .*", "token: expired");
    steps.configure(
        Map.of("east", KubernetesSteps.settings(wrong, List.of(steps.namespace), List.of())));
    StepCall call = steps.call(configMap("{a: b}"));
    Result.Parked waiting = parked(call);
    assertThat(waiting.waitingFor()).contains("cluster-unauthorized");
    steps.configure(
        Map.of("east", KubernetesSteps.settings(right, List.of(steps.namespace), List.of())));
    assertThat(steps.outputs(Calls.resumed(call, waiting.memory()))).containsEntry("changed", true);
  }

  @Test
  void without_time_the_error_itself_is_the_result() {
    String away = "https://127.0.0.1:1";
    steps.configure(
        Map.of(
            "east",
            new ClusterSettings(
                new Access.Token(java.net.URI.create(away), Optional.empty(), "t"),
                Optional.empty(),
                List.of(),
                Map.of(
                    KubernetesSteps.TEAM,
                    new ClusterSettings.TeamPlace(List.of(steps.namespace), Optional.empty())))));
    StepCall late = Calls.within(java.time.Duration.ofMillis(400), steps.call(configMap("{a: b}")));
    StepError error = steps.failed(late).error();
    assertThat(error.code()).isEqualTo("cluster-down");
    assertThat(error.kind()).isEqualTo(StepError.Kind.TRANSIENT);
  }

  @Test
  void a_cluster_has_to_be_granted_and_configured() {
    StepCall call = steps.call(configMap("{a: b}"));
    StepCall ungranted =
        Calls.granted(call, dev.slipway.engine.resolve.Grants.ofHosts("127.0.0.1"));
    assertThat(steps.failed(ungranted).error().code()).isEqualTo("cluster-not-granted");
    steps.configure(Map.of());
    assertThat(steps.failed(call).error().code()).isEqualTo("unknown-cluster");
  }

  @Test
  void values_of_a_secret_are_in_no_output_no_log_and_no_error() {
    String manifest =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {password: hunter2222}";
    StepCall call = Calls.knowing(Secrets.of(List.of("hunter2222")), steps.call(apply(manifest)));
    Map<String, Object> outputs = steps.outputs(call);
    assertThat(outputs.toString()).doesNotContain("hunter2222").doesNotContain("aHVudGVyMjIyMg");
    assertThat(steps.outputs(call)).containsEntry("changed", false);
    StepError error = error(apply(manifest.replace("stringData", "type: 7\nstringDate")));
    assertThat(error.message()).doesNotContain("hunter2222");
    assertThat(steps.log.all().toString()).doesNotContain("hunter2222");
  }
}
