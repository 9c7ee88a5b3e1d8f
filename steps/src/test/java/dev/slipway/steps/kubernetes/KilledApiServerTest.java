package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.controlplane.ControlPlane;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.steps.Calls;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The API server is killed and started again while steps apply, change and delete objects. Half of
 * the steps are the administrator's, half are those of a service account with few rights.
 */
@Tag("proof")
class KilledApiServerTest {
  private static final int WRITERS = 8;
  private static final int KILLS = 3;
  private static final int STEPS_BETWEEN = 60;
  private static final Duration TIMER = Duration.ofMillis(50);
  private static final String NAMESPACE = "killed";

  /** The value is in the spec of one object: its generation counts how often it was changed. */
  private static final String APPLY =
      """
      operation: apply
      cluster: east
      namespace: @NS@
      manifest: |
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: "{{ .parameters.name }}"}
        spec:
          podSelector: {matchLabels: {value: "{{ .parameters.value }}"}}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "{{ .parameters.name }}"}
        data: {value: "{{ .parameters.value }}"}
      """;

  private static final String BRIEF =
      """
      operation: %s
      cluster: east
      namespace: @NS@
      manifest: {apiVersion: v1, kind: ConfigMap, metadata: {name: "brief-{{ .parameters.name }}"}}
      """;

  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger parked = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();

  /** A resource whose steps follow each other, each with the next value. */
  private final class Writer {
    final String name;
    final UUID resource = UUID.randomUUID();
    final KubernetesSteps steps;
    volatile long value;
    volatile String uid = "";

    Writer(int number, KubernetesSteps steps) {
      this.name = "writer-" + number;
      this.steps = steps;
    }

    void work() {
      try {
        while (!over.get() && wrong.isEmpty()) {
          value++;
          Map<String, Object> applied = outputs(APPLY);
          Map<String, Object> first = Values.map(((List<?>) applied.get("objects")).getFirst());
          uid = uid.isEmpty() ? String.valueOf(first.get("uid")) : uid;
          check("uid", first.get("uid"), uid);
          check("generation", first.get("generation"), value);
          outputs(BRIEF.formatted("apply"));
          outputs(BRIEF.formatted("delete"));
        }
      } catch (RuntimeException | AssertionError e) {
        wrong.add(name + ": " + e);
      }
    }

    private void check(String what, Object is, Object wanted) {
      if (!Objects.equals(is, wanted)) {
        wrong.add("%s: %s is %s, not %s".formatted(name, what, is, wanted));
      }
    }

    private Map<String, Object> outputs(String yaml) {
      StepCall call =
          Calls.of(
              Optional.of(resource), steps.call(yaml, Map.of("name", name, "value", "v" + value)));
      Result result = end(Calls.within(Duration.ofMinutes(5), call));
      if (result instanceof Result.Succeeded succeeded) {
        ended.incrementAndGet();
        return succeeded.outputs();
      }
      throw new IllegalStateException(String.valueOf(((Result.Failed) result).error()));
    }

    /** Like the engine, but with short timers. */
    private Result end(StepCall first) {
      StepCall call = first;
      while (true) {
        Result result = steps.once(call);
        if (!(result instanceof Result.Parked waiting)) {
          return result;
        }
        parked.incrementAndGet();
        call = Calls.resumed(call, Map.of());
        LockSupport.parkNanos(TIMER.toNanos());
      }
    }
  }

  /**
   * Looks at an object again and again, each time as a replica that has just started: it has not
   * seen that the API server was away, and asks it while it starts.
   */
  private void newcomers(Kubeconfig kubeconfig) {
    String look =
        "{operation: get, cluster: east, kind: ConfigMap, name: bystander, namespace: @NS@}";
    while (!over.get() && wrong.isEmpty()) {
      try (KubernetesSteps fresh = new KubernetesSteps(NAMESPACE, kubeconfig)) {
        if (fresh.once(fresh.call(look)) instanceof Result.Failed failed) {
          wrong.add("newcomer: " + failed.error());
        }
      }
    }
  }

  @Test
  void steps_end_as_if_the_api_server_had_never_been_killed() throws InterruptedException {
    try (ControlPlane plane = TestControlPlane.separate();
        KubernetesClient client = TestControlPlane.client(plane.administrator())) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
          .create();
      ConfigMap bystander = bystander(client);
      Kubeconfig limited = limited(plane, client);
      try (KubernetesSteps strong = new KubernetesSteps(NAMESPACE, plane.administrator());
          KubernetesSteps weak = new KubernetesSteps(NAMESPACE, limited)) {
        List<Writer> writers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        threads.add(Thread.ofVirtual().start(() -> newcomers(limited)));
        for (int i = 0; i < WRITERS; i++) {
          Writer writer = new Writer(i, i % 2 == 0 ? strong : weak);
          writers.add(writer);
          threads.add(Thread.ofVirtual().start(writer::work));
        }
        for (int kills = 0; kills < KILLS; kills++) {
          killAndStart(plane);
        }
        more(ended, STEPS_BETWEEN);
        over.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(wrong).isEmpty();
        writers.forEach(writer -> isThere(client, writer));
      }
      assertThat(configMaps(client)).hasSize(WRITERS + 1).contains(bystander);
    }
  }

  private void killAndStart(ControlPlane plane) {
    more(ended, STEPS_BETWEEN);
    plane.apiServer().kill();
    more(parked, WRITERS);
    plane.apiServer().start();
  }

  private void more(AtomicInteger count, int many) {
    int before = count.get();
    await("%d more than %d".formatted(many, before))
        .atMost(Duration.ofMinutes(2))
        .until(() -> count.get() >= before + many || !wrong.isEmpty());
  }

  private static void isThere(KubernetesClient client, Writer writer) {
    HasMetadata policy =
        client.network().v1().networkPolicies().inNamespace(NAMESPACE).withName(writer.name).get();
    assertThat(policy.getMetadata().getUid()).isEqualTo(writer.uid);
    assertThat(policy.getMetadata().getGeneration()).isEqualTo(writer.value);
    ConfigMap map = client.configMaps().inNamespace(NAMESPACE).withName(writer.name).get();
    assertThat(map.getData()).containsEntry("value", "v" + writer.value);
  }

  private static List<ConfigMap> configMaps(KubernetesClient client) {
    return client.configMaps().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(map -> !map.getMetadata().getName().equals("kube-root-ca.crt"))
        .toList();
  }

  private static ConfigMap bystander(KubernetesClient client) {
    return client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("bystander")
                .withNamespace(NAMESPACE)
                .endMetadata()
                .addToData("value", "theirs")
                .build())
        .create();
  }

  private static Kubeconfig limited(ControlPlane plane, KubernetesClient client) {
    String[] verbs = {"get", "create", "patch", "delete"};
    return new TestNamespace(NAMESPACE)
        .user(
            client,
            plane.administrator(),
            "limited",
            TestNamespace.allow("", List.of("configmaps"), verbs),
            TestNamespace.allow("networking.k8s.io", List.of("networkpolicies"), verbs));
  }
}
