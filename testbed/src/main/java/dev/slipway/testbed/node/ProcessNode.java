package dev.slipway.testbed.node;

import dev.slipway.kubernetes.controlplane.ControlPlane;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The node. Only pods that tolerate its taint come here: those that {@link #SELECTOR} and {@link
 * #TOLERATION} describe.
 */
public final class ProcessNode implements AutoCloseable {
  /** The label and taint of the node. */
  private static final String KEY = "testbed.slipway.dev/runs-processes";

  /** For the {@code nodeSelector} of a pod. */
  public static final Map<String, String> SELECTOR = Map.of(KEY, "true");

  /** For the {@code tolerations} of a pod. */
  public static final Map<String, Object> TOLERATION = Map.of("key", KEY, "operator", "Exists");

  private static final String NAME = "processes";

  private final KubernetesClient client;
  private final NodeEndpoint endpoint;
  private final Path directory;
  private final Set<String> images;
  private final Map<String, PodProcess> pods = new ConcurrentHashMap<>();
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(2, Thread.ofPlatform().daemon().name("node-", 0).factory());
  private final SharedIndexInformer<Pod> informer;

  private ProcessNode(ControlPlane plane, Set<String> images) throws IOException {
    this.client = TestControlPlane.client(plane.administrator());
    this.images = Set.copyOf(images);
    this.directory = Files.createTempDirectory("slipway-node");
    this.endpoint =
        new NodeEndpoint(plane.kubeconfig().resolveSibling("identities"), this::podNamed);
    register();
    threads.scheduleAtFixedRate(this::heartbeat, 60, 60, TimeUnit.SECONDS);
    this.informer =
        client.pods().inAnyNamespace().withField("spec.nodeName", NAME).inform(new Changes());
  }

  /** Starts one in that control plane, on which containers of these images can run. */
  public static ProcessNode start(ControlPlane plane, String... images) {
    try {
      return new ProcessNode(plane, Set.of(images));
    } catch (IOException e) {
      throw new UncheckedIOException("the node cannot be started", e);
    }
  }

  private Optional<PodProcess> podNamed(String namespace, String name) {
    return pods.values().stream().filter(pod -> pod.named(namespace, name)).findFirst();
  }

  private void register() {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(NAME)
            .addToLabels(SELECTOR)
            .addToLabels("kubernetes.io/hostname", NAME)
            .addToLabels("kubernetes.io/os", "linux")
            .endMetadata()
            .withNewSpec()
            .addNewTaint("NoSchedule", KEY, null, "true")
            .endSpec()
            .build();
    client.resource(node).createOr(existing -> existing.update());
    heartbeat();
  }

  private void heartbeat() {
    try {
      client.nodes().withName(NAME).editStatus(this::ready);
    } catch (KubernetesClientException e) {
      return; // the API server is away: the next one
    }
  }

  private Node ready(Node node) {
    String now = Instant.now().toString();
    NodeStatus status =
        new NodeStatusBuilder()
            .addToCapacity("pods", new Quantity("110"))
            .addToCapacity("cpu", new Quantity("8"))
            .addToCapacity("memory", new Quantity("16Gi"))
            .addToAllocatable("pods", new Quantity("110"))
            .addToAllocatable("cpu", new Quantity("8"))
            .addToAllocatable("memory", new Quantity("16Gi"))
            .addNewAddress("127.0.0.1", "InternalIP")
            .withNewDaemonEndpoints()
            .withNewKubeletEndpoint(endpoint.port())
            .endDaemonEndpoints()
            .addToConditions(
                new NodeConditionBuilder()
                    .withType("Ready")
                    .withStatus("True")
                    .withReason("KubeletReady")
                    .withLastHeartbeatTime(now)
                    .withLastTransitionTime(now)
                    .build())
            .build();
    return new NodeBuilder(node).withStatus(status).build();
  }

  /** What the API server says about pods of this node. */
  private final class Changes implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      threads.execute(() -> see(pod));
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      threads.execute(() -> see(pod));
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      threads.execute(
          () -> {
            PodProcess gone = pods.remove(pod.getMetadata().getUid());
            if (gone != null) {
              gone.kill();
            }
          });
    }
  }

  private void see(Pod pod) {
    PodProcess process =
        pods.computeIfAbsent(
            pod.getMetadata().getUid(),
            uid -> new PodProcess(client, pod, directory.resolve(uid), threads));
    process.see(pod, images);
  }

  /** How many containers run now. */
  public long running() {
    return pods.values().stream().filter(PodProcess::runs).count();
  }

  /** Ends the node with everything that it runs. */
  @Override
  public void close() {
    informer.close();
    pods.values().forEach(PodProcess::kill);
    threads.shutdownNow();
    endpoint.close();
    client.nodes().withName(NAME).delete();
    client.close();
    List.copyOf(pods.keySet()).forEach(pods::remove);
  }
}
