package dev.slipway.kubernetes.workload;

import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.workload.StartOrder.Ready;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Translates a workload into the objects of a cluster. */
public final class WorkloadObjects {
  /** On pods: changes when a file or a secret of theirs does, so that they are replaced. */
  static final String CONTENT = "slipway.dev/content";

  /** So long may a rollout take without a step forward; then the Deployment is Degraded. */
  private static final int PROGRESS_SECONDS = 240;

  private final ScoreWorkload workload;
  private final Secrecy secrecy;
  private final PodContent content;

  private WorkloadObjects(ScoreWorkload workload, Secrecy secrecy) {
    this.workload = workload;
    this.secrecy = secrecy;
    this.content = new PodContent(workload.name());
  }

  /** The Deployment, and Service, ConfigMap and Secret as far as they are needed. */
  public static List<Map<String, Object>> of(ScoreWorkload workload, Secrecy secrecy)
      throws RefusedException {
    return new WorkloadObjects(workload, secrecy).all();
  }

  private List<Map<String, Object>> all() throws RefusedException {
    Map<String, Object> pod = pod();
    List<Map<String, Object>> all = new ArrayList<>();
    all.add(deployment(pod));
    service().ifPresent(all::add);
    if (!content.config().isEmpty()) {
      Map<String, Object> config = object("v1", "ConfigMap");
      config.putAll(content.config());
      all.add(config);
    }
    if (!content.secret().isEmpty()) {
      Map<String, Object> secret = object("v1", "Secret");
      secret.put("data", content.secret());
      all.add(secret);
    }
    return all;
  }

  private Map<String, Object> object(String apiVersion, String kind) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    object.put("metadata", Map.of("name", workload.name(), "labels", workload.labels()));
    return object;
  }

  /** Without a number of replicas, so that an autoscaler may choose it. */
  private Map<String, Object> deployment(Map<String, Object> pod) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("labels", workload.labels());
    content
        .digested()
        .ifPresent(
            text -> metadata.put("annotations", Map.of(CONTENT, secrecy.digest().apply(text))));
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("selector", Map.of("matchLabels", workload.selector()));
    spec.put("progressDeadlineSeconds", PROGRESS_SECONDS);
    spec.put("strategy", strategy());
    spec.put("template", Map.of("metadata", metadata, "spec", pod));
    Map<String, Object> deployment = object("apps/v1", "Deployment");
    deployment.put("spec", spec);
    return deployment;
  }

  /** A claim may be usable on one node only: there the old pod goes before the new one comes. */
  private Map<String, Object> strategy() {
    int surge = content.hasClaims() ? 0 : 1;
    return Map.of(
        "type",
        "RollingUpdate",
        "rollingUpdate",
        Map.of("maxSurge", surge, "maxUnavailable", 1 - surge));
  }

  private Map<String, Object> pod() throws RefusedException {
    StartOrder order = StartOrder.of(workload.containers());
    List<Object> first = new ArrayList<>();
    for (var container : order.first().entrySet()) {
      first.add(starting(fields(container.getKey()), container.getValue()));
    }
    List<Object> together = new ArrayList<>();
    for (String name : order.together()) {
      together.add(fields(name));
    }
    Map<String, Object> pod = new LinkedHashMap<>();
    pod.put("automountServiceAccountToken", false);
    pod.put("enableServiceLinks", false);
    pod.put("securityContext", Map.of("seccompProfile", Map.of("type", "RuntimeDefault")));
    if (!first.isEmpty()) {
      pod.put("initContainers", first);
    }
    pod.put("containers", together);
    if (!content.volumes().isEmpty()) {
      pod.put("volumes", content.volumes());
    }
    return pod;
  }

  private Map<String, Object> fields(String name) throws RefusedException {
    Part written =
        Objects.requireNonNull(
            workload.containers().get(name), "the start order holds names of containers");
    return new ContainerFields(name, written, content, secrecy).fields();
  }

  private static Map<String, Object> starting(Map<String, Object> container, Ready ready) {
    switch (ready) {
      case COMPLETE -> {
        // Kubernetes takes no probes of a container that ends.
        container.remove("livenessProbe");
        container.remove("readinessProbe");
      }
      case STARTED -> container.put("restartPolicy", "Always");
      case HEALTHY -> {
        container.put("restartPolicy", "Always");
        Optional.ofNullable(container.get("readinessProbe"))
            .ifPresent(probe -> container.put("startupProbe", probe));
      }
    }
    return container;
  }

  private Optional<Map<String, Object>> service() throws RefusedException {
    List<Object> ports = new ArrayList<>();
    for (var port : workload.service().parts("ports").entrySet()) {
      Part written = port.getValue();
      int number = written.port("port").orElseThrow(() -> written.wrong("port", "is missing"));
      ports.add(
          Map.of(
              "name",
              port.getKey(),
              "port",
              number,
              "targetPort",
              written.port("targetPort").orElse(number),
              "protocol",
              written.text("protocol").orElse("TCP")));
    }
    if (ports.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> service = object("v1", "Service");
    service.put("spec", Map.of("selector", workload.selector(), "ports", ports));
    return Optional.of(service);
  }
}
