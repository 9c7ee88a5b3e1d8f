package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.steps.Calls;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API server says about a manifest is shown where the manifest says it. */
class RefusedManifestsTest {
  private static final String APPLY =
      """
      operation: apply
      cluster: east
      namespace: @NS@
      manifest: |
      """;
  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 1
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - name: web
              image: web
              ports:
              - {containerPort: 80}
      """;
  private static final String SIZED =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: %2$ss.%1$s}
      spec:
        group: %1$s
        scope: Namespaced
        names: {kind: %3$s, plural: %2$ss}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  required: [colour]
                  properties: {size: {type: integer, maximum: 5}, colour: {type: string, enum: [red, blue]}}
      """;

  private final KubernetesSteps steps = new KubernetesSteps();
  private final KubernetesClient client = TestControlPlane.client();

  @AfterEach
  void close() {
    steps.close();
  }

  private static String apply(String manifest) {
    return APPLY + manifest.indent(2);
  }

  private StepError error(String yaml) {
    return steps.failed(yaml).error();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          replicas: 1          | replicas: many          | spec.replicas (manifest:5:3)
          replicas: 1          | replicas: -1            | spec.replicas (manifest:5:3)
          image: web           | imagee: web             | imagee (manifest:12:9)
          containerPort: 80    | containerPort: 0        | ports[0].containerPort (manifest:14:12)
          containerPort: 80    | containerPort: eighty   | containerPort (manifest:14:12)
          labels: {app: web}   | labels: {app: 'a b'}    | template.metadata.labels (manifest:8:16)
          name: web}           | name: Web_1}            | metadata.name (manifest:3:
          """)
  void a_refused_field_is_named_with_its_line(String right, String wrong, String place) {
    String manifest = WEB.replace(right, wrong);
    assertThat(manifest).isNotEqualTo(WEB);
    StepError error = error(apply(manifest));
    assertThat(error.code()).isEqualTo("invalid-manifest");
    assertThat(error.message()).contains(place);
  }

  @Test
  void all_wrong_fields_of_a_custom_resource_are_named_with_their_lines() {
    steps.granted("CustomResourceDefinition.apiextensions.k8s.io");
    steps.outputs(apply(SIZED.formatted("sized.example.org", "sized", "Sized")));
    String object =
        """
        apiVersion: sized.example.org/v1
        kind: Sized
        metadata: {name: one}
        spec:
          size: 9
          colour: green
        """;
    StepError error = error(apply(object));
    assertThat(error.code()).isEqualTo("invalid-manifest");
    assertThat(error.message())
        .contains("spec.size (manifest:5:3)")
        .contains("spec.colour (manifest:6:3)")
        .contains("supported values: \"red\", \"blue\"");
    assertThat(error(apply(object.replace("  colour: green\n", "").replace("9", "1"))).message())
        .contains("spec.colour")
        .contains("Required value");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "team-a-x/../kube-system",
        "team-a-x/configmaps/thing",
        "team-a-x%2Fconfigmaps",
        "team-a-X",
        "team-a-x?dryRun=All",
      })
  void a_namespace_that_is_no_name_is_refused_before_a_request_names_it(String namespace) {
    long sent = steps.cluster().reads() + steps.cluster().writes();
    StepError error =
        error(
            apply(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: thing, namespace: '%s'}\n"
                    .formatted(namespace)));
    assertThat(error.code()).isEqualTo("invalid-manifest");
    assertThat(error.message()).contains("is no name of a namespace");
    assertThat(steps.cluster().reads() + steps.cluster().writes() - sent)
        .as("the kinds of v1 are read")
        .isEqualTo(1);
  }

  @Test
  void a_definition_whose_plural_leads_elsewhere_defines_nothing() {
    steps.granted("CustomResourceDefinition.apiextensions.k8s.io");
    String both =
        SIZED
                .formatted("path.example.org", "path", "Path")
                .replace("plural: paths", "plural: a/../b")
            + "---\napiVersion: path.example.org/v1\nkind: Path\nmetadata: {name: one}\n";
    Result result = steps.once(steps.call(apply(both)));
    assertThat(result).isInstanceOf(Result.Parked.class);
    assertThat(((Result.Parked) result).waitingFor()).contains("unknown-kind");
    assertThat(
            client
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("paths.path.example.org")
                .get())
        .as("refused before any effect")
        .isNull();
  }

  @Test
  void a_version_that_kubernetes_no_longer_has_is_answered_with_the_one_it_has() {
    StepError error = error(apply(WEB.replace("apps/v1", "apps/v1beta2")));
    assertThat(error.code()).isEqualTo("unknown-kind");
    assertThat(error.hint()).contains("apps/v1");
  }

  @Test
  void a_kind_that_is_defined_anew_while_the_server_runs_is_waited_for_and_applied() {
    steps.granted("CustomResourceDefinition.apiextensions.k8s.io");
    String definition = SIZED.formatted("anew.example.org", "anew", "Anew");
    StepCall call =
        steps.call(
            apply(
                """
                apiVersion: anew.example.org/v1
                kind: Anew
                metadata: {name: one}
                spec: {colour: red}
                """));
    steps.outputs(apply(definition));
    steps.outputs(call);
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("anews.anew.example.org")
        .delete();
    Awaitility.await()
        .until(
            () ->
                steps.once(call) instanceof Result.Parked waiting
                    && waiting.waitingFor().contains("unknown-kind"));
    steps.outputs(apply(definition));
    assertThat(steps.outputs(call)).containsEntry("changed", true);
  }

  @Test
  void what_was_applied_before_a_refused_document_is_kept_and_the_corrected_step_goes_on() {
    String settings =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n---\n";
    StepError error = error(apply(settings + WEB.replace("replicas: 1", "replicas: -1")));
    assertThat(error.message()).contains("Deployment").contains("(manifest:10:3)");
    ConfigMap kept = client.configMaps().inNamespace(steps.namespace).withName("settings").get();
    assertThat(kept.getMetadata().getAnnotations())
        .containsEntry("slipway.dev/owner", Calls.RESOURCE.toString());
    assertThat(steps.outputs(apply(settings + WEB))).containsEntry("changed", true);
    assertThat(client.configMaps().inNamespace(steps.namespace).withName("settings").get())
        .isEqualTo(kept);
  }

  @Test
  void a_cluster_that_does_not_allow_to_act_as_the_team_says_which_rule_would() {
    TestNamespace namespace = new TestNamespace(steps.namespace);
    String kubeconfig = namespace.user("limited").text();
    steps.configure(
        Map.of(
            "east",
            new ClusterSettings(
                new Access.Kubeconfig(kubeconfig, Optional.empty()),
                Optional.of("system:serviceaccount:{team}:deployer"),
                List.of(),
                Map.of(
                    KubernetesSteps.TEAM,
                    new ClusterSettings.TeamPlace(List.of(steps.namespace), Optional.empty())))));
    StepError error = error(apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"));
    assertThat(error.code()).isEqualTo("cluster-forbidden");
    assertThat(error.message()).contains("cannot impersonate");
    assertThat(error.hint())
        .contains("resources: ['serviceaccounts'], verbs: [impersonate]")
        .contains("system:serviceaccount:" + steps.namespace + ":limited");
  }
}
