package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Webhooks, policies and standards of the cluster that refuse objects, and webhooks that are away.
 */
class AdmissionTest {
  private static final String CONFIG_MAP =
      """
      operation: apply
      cluster: east
      namespace: @NS@
      manifest: {apiVersion: v1, kind: ConfigMap, metadata: {name: thing}, data: {a: "%s"}}
      """;

  /** For ConfigMaps of the test's namespace. */
  private static final String WEBHOOK =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: "@NS@"}
      webhooks:
      - name: check.example.org
        admissionReviewVersions: [v1]
        sideEffects: None
        failurePolicy: Fail
        timeoutSeconds: 5
        clientConfig: {url: "%s", caBundle: "%s"}
        namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: "@NS@"}}
        rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
      """;

  private final KubernetesSteps steps = new KubernetesSteps();
  private final KubernetesClient client = TestControlPlane.client();

  @AfterEach
  void close() {
    steps.close();
  }

  private void create(String yaml) {
    client.resource(yaml.replace("@NS@", steps.namespace)).create();
  }

  private void delete(String yaml) {
    client.resource(yaml.replace("@NS@", steps.namespace)).delete();
  }

  /** Applies ever other values until the result is of that kind: admission begins a bit later. */
  private <T extends Result> T eventually(Class<T> type) {
    AtomicReference<Result> last = new AtomicReference<>();
    AtomicInteger value = new AtomicInteger();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              last.set(steps.once(steps.call(CONFIG_MAP.formatted(value.incrementAndGet()))));
              return type.isInstance(last.get());
            });
    return type.cast(last.get());
  }

  @Test
  void a_webhook_that_does_not_answer_is_waited_for() {
    String webhook = WEBHOOK.formatted("https://127.0.0.1:1/", "");
    create(webhook);
    try {
      Result.Parked waiting = eventually(Result.Parked.class);
      assertThat(waiting.memory().get(Result.Parked.SEEN).toString())
          .contains("failed calling webhook \"check.example.org\"");
    } finally {
      delete(webhook);
    }
    eventually(Result.Succeeded.class);
  }

  @Test
  void a_denial_names_the_policy_and_its_words() {
    String policy =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: "@NS@"}
        spec:
          failurePolicy: Fail
          matchConstraints:
            resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
          validations: [{expression: "false", message: only on Sundays}]
        """;
    String binding =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: "@NS@"}
        spec:
          policyName: "@NS@"
          validationActions: [Deny]
          matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: "@NS@"}}}
        """;
    create(policy);
    create(binding);
    try {
      StepError error = eventually(Result.Failed.class).error();
      assertThat(error.code()).isEqualTo("admission-denied");
      assertThat(error.message()).contains("only on Sundays");
      assertThat(error.hint()).contains("'" + steps.namespace + "'");
    } finally {
      delete(binding);
      delete(policy);
    }
  }

  @Test
  void a_denial_is_an_error_with_the_webhooks_name_and_words_whatever_code_it_has(
      @TempDir Path directory) throws Exception {
    try (DenyingWebhook server = new DenyingWebhook(directory)) {
      String webhook = WEBHOOK.formatted(server.url(), server.authority());
      create(webhook);
      try {
        for (int code : new int[] {403, 400, 401, 409, 422, 429, 500}) {
          server.deny(code, "no beans on " + code);
          StepError error = eventually(Result.Failed.class).error();
          assertThat(error.code()).as(error.message()).isEqualTo("admission-denied");
          assertThat(error.message()).contains("no beans on " + code);
          assertThat(error.hint()).contains("'check.example.org'");
        }
        server.allow();
        eventually(Result.Succeeded.class);
      } finally {
        delete(webhook);
      }
    }
  }

  @Test
  void a_pod_that_the_standard_of_its_namespace_forbids_is_denied_with_what_it_violates() {
    client
        .namespaces()
        .withName(steps.namespace)
        .edit(
            namespace ->
                new NamespaceBuilder(namespace)
                    .editMetadata()
                    .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                    .endMetadata()
                    .build());
    StepError error =
        steps
            .failed(
                """
                operation: apply
                cluster: east
                namespace: @NS@
                manifest:
                  apiVersion: v1
                  kind: Pod
                  metadata: {name: thing}
                  spec: {hostNetwork: true, containers: [{name: a, image: a}]}
                """)
            .error();
    assertThat(error.code()).as(error.message()).isEqualTo("admission-denied");
    assertThat(error.message()).contains("restricted:latest").contains("hostNetwork=true");
    assertThat(error.hint()).contains("pod security");
  }
}
