package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.value.Values;
import dev.slipway.steps.Calls;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects are applied with a stamp, are not written again without need, and go when deleted. */
class KubernetesExecutorTest {
  private static final String SETTINGS =
      """
      operation: apply
      cluster: east
      namespace: @NS@
      manifest: |
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        data:
          colour: "{{ .parameters.colour }}"
      """;

  private final KubernetesSteps steps = new KubernetesSteps();

  @AfterEach
  void close() {
    steps.close();
  }

  private StepCall settings(String colour) {
    return steps.call(SETTINGS, Map.of("colour", colour));
  }

  private ConfigMap live() {
    return TestControlPlane.client()
        .configMaps()
        .inNamespace(steps.namespace)
        .withName("settings")
        .get();
  }

  @Test
  void an_object_is_applied_with_the_stamp_of_its_owner() {
    Map<String, Object> outputs = steps.outputs(settings("red"));
    ConfigMap live = live();
    assertThat(live.getData()).containsEntry("colour", "red");
    assertThat(live.getMetadata().getAnnotations())
        .containsEntry("slipway.dev/owner", Calls.RESOURCE.toString())
        .containsEntry("slipway.dev/team", "team-a")
        .containsEntry("slipway.dev/application", "guestbook")
        .containsEntry("slipway.dev/environment", "default");
    assertThat(live.getMetadata().getLabels())
        .containsEntry("slipway.dev/owner", Calls.RESOURCE.toString());
    assertThat(live.getMetadata().getManagedFields().getFirst().getManager())
        .isEqualTo("slipway:" + Calls.RESOURCE);
    assertThat(outputs)
        .containsEntry("name", "settings")
        .containsEntry("namespace", steps.namespace)
        .containsEntry("uid", live.getMetadata().getUid())
        .containsEntry("changed", true);
    assertThat((List<?>) outputs.get("objects")).hasSize(1);
    assertThat(Values.map(outputs.get("object")).get("data")).isEqualTo(Map.of("colour", "red"));
  }

  @Test
  void a_second_apply_of_the_same_writes_nothing() {
    steps.outputs(settings("red"));
    String version = live().getMetadata().getResourceVersion();
    long writes = steps.cluster().writes();
    assertThat(steps.outputs(settings("red"))).containsEntry("changed", false);
    assertThat(steps.cluster().writes()).isEqualTo(writes);
    assertThat(live().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(steps.outputs(settings("blue"))).containsEntry("changed", true);
    assertThat(live().getData()).containsEntry("colour", "blue");
  }

  @Test
  void with_a_watch_a_second_apply_of_the_same_reads_nothing_and_a_change_is_seen() {
    steps.outputs(settings("red"));
    steps.outputs(settings("red"));
    Awaitility.await()
        .until(
            () -> {
              long before = steps.cluster().reads() + steps.cluster().writes();
              assertThat(steps.outputs(settings("red"))).containsEntry("changed", false);
              return steps.cluster().reads() + steps.cluster().writes() == before;
            });
    TestControlPlane.client()
        .configMaps()
        .inNamespace(steps.namespace)
        .withName("settings")
        .edit(map -> new ConfigMapBuilder(map).addToData("colour", "grey").build());
    Awaitility.await()
        .until(
            () ->
                steps.end(settings("red")) instanceof Result.Failed failed
                    && failed.error().code().equals("conflict"));
  }

  @Test
  void a_deleted_object_is_gone_and_deleting_it_again_succeeds() {
    String delete =
        "{operation: delete, cluster: east, kind: ConfigMap, name: settings, namespace: @NS@}";
    steps.outputs(settings("red"));
    assertThat(live()).isNotNull();
    steps.outputs(delete);
    assertThat(live()).isNull();
    steps.outputs(delete);
  }
}
