package dev.slipway.steps.kubernetes;

import dev.slipway.engine.health.Health;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.ClusterObjects.Session;
import dev.slipway.kubernetes.apply.ObjectRef;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.RuleVerdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pods of a Deployment or StatefulSet. Its own status says how many are available, and only
 * during a rollout that some do not come; why is in the status of the pods.
 */
record Pods(Cluster cluster, Session session, HealthRules rules) {
  private static final ApiKind POD = new ApiKind("v1", "Pod", "pods", ApiKind.Scope.NAMESPACED);
  private static final Set<String> OWNERS = Set.of("Deployment.apps", "StatefulSet.apps");
  private static final String MOST = "50";

  /** The verdict, Degraded when it waits for pods of which one is. */
  RuleVerdict judged(ObjectRef ref, LiveObject object)
      throws ClusterDownException, InterruptedException {
    RuleVerdict own = rules.judge(object, Neighbours.NONE);
    boolean waits = own.health().filter(h -> h.status() == Health.PROGRESSING).isPresent();
    if (!waits || !OWNERS.contains(ref.kind().granted()) || ref.namespace().isEmpty()) {
      return own;
    }
    return degraded(ref.namespace().get(), object)
        .map(health -> new RuleVerdict(Optional.of(health), own.rule()))
        .orElse(own);
  }

  /** What a step waits for, and the pod that it waits for in vain. */
  String explained(ObjectRef ref, Optional<ClusterObject> object, String missing)
      throws ClusterDownException, InterruptedException {
    if (object.isEmpty()) {
      return missing;
    }
    return judged(ref, new LiveObject(object.get().content()))
        .health()
        .filter(health -> health.status() == Health.DEGRADED)
        .map(health -> missing + "; " + health.message())
        .orElse(missing);
  }

  private Optional<ObjectHealth> degraded(String namespace, LiveObject object)
      throws ClusterDownException, InterruptedException {
    String selector =
        object.map("spec", "selector", "matchLabels").entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
    if (selector.isEmpty()) {
      return Optional.empty();
    }
    ApiRequest list =
        ApiRequest.get(POD.path(Optional.of(namespace)))
            .with("labelSelector", selector)
            .with("limit", MOST);
    ApiReply reply = cluster.read(list.as(session.user()), session.left());
    return reply.ok() && reply.body().get("items") instanceof List<?> items
        ? items.stream().flatMap(item -> degraded(item).stream()).findFirst()
        : Optional.empty();
  }

  /** Items of a list do not say their kind. */
  private Optional<ObjectHealth> degraded(Object item) {
    Map<String, Object> fields = new LinkedHashMap<>(Values.map(item));
    fields.put("apiVersion", POD.apiVersion());
    fields.put("kind", POD.kind());
    LiveObject pod = new LiveObject(fields);
    return rules
        .judge(pod, Neighbours.NONE)
        .health()
        .filter(health -> health.status() == Health.DEGRADED)
        .map(health -> ObjectHealth.degraded("pod " + pod.name() + ": " + health.message()));
  }
}
