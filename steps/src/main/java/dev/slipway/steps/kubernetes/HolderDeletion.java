package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.ApplyOrder;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.ObjectRef;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.apply.Stamp;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks before an object is deleted with all that it holds: only while its resource is deleted,
 * never as a compensation, and only with nothing of another owner inside.
 */
final class HolderDeletion {
  private static final Duration LIST = Duration.ofSeconds(20);
  private static final List<ApiKind> IN_NAMESPACES =
      List.of(
          new ApiKind(
              "v1", "PersistentVolumeClaim", "persistentvolumeclaims", ApiKind.Scope.NAMESPACED),
          new ApiKind("apps/v1", "Deployment", "deployments", ApiKind.Scope.NAMESPACED),
          new ApiKind("apps/v1", "StatefulSet", "statefulsets", ApiKind.Scope.NAMESPACED),
          new ApiKind("v1", "Secret", "secrets", ApiKind.Scope.NAMESPACED),
          new ApiKind("v1", "Service", "services", ApiKind.Scope.NAMESPACED));

  private final Cluster cluster;
  private final StepCall call;
  private final KubernetesCall step;

  HolderDeletion(Cluster cluster, StepCall call, KubernetesCall step) {
    this.cluster = cluster;
    this.call = call;
    this.step = step;
  }

  void check(ObjectRef ref) throws RefusedException, ClusterDownException, InterruptedException {
    if (call.scope().resource() != null
        && !Operation.DELETE.text().equals(call.scope().operation())) {
      throw RefusedException.last(
          "deletion-refused",
          ref + " holds data of others and goes only when its resource is deleted",
          "Delete it in the provider's delete workflow, or by hand.");
    }
    Optional<ClusterObject> live = step.objects(ref).get(ref);
    if (live.isEmpty() || live.get().terminating()) {
      return;
    }
    if (ref.kind().kind().equals("Namespace")) {
      for (ApiKind kind : IN_NAMESPACES) {
        nothingForeign(ref, kind.path(Optional.of(ref.name())), kind.kind());
      }
    } else if (ApplyOrder.definition(ref.kind())) {
      instances(ref, live.get());
    }
  }

  private void instances(ObjectRef ref, ClusterObject definition)
      throws RefusedException, ClusterDownException, InterruptedException {
    Map<String, Object> spec = Values.map(definition.content().get("spec"));
    String plural = String.valueOf(Values.map(spec.get("names")).get("plural"));
    if (spec.get("versions") instanceof List<?> versions) {
      for (Object each : versions) {
        Map<String, Object> version = Values.map(each);
        if (Boolean.TRUE.equals(version.get("served"))) {
          nothingForeign(
              ref, "/apis/" + spec.get("group") + "/" + version.get("name") + "/" + plural, plural);
          return;
        }
      }
    }
  }

  private void nothingForeign(ObjectRef ref, String path, String what)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiReply reply = cluster.read(ApiRequest.get(path).with("limit", "500"), LIST);
    boolean more =
        Values.map(reply.body().get("metadata")).get("continue") instanceof String c
            && !c.isEmpty();
    if (!reply.ok() && reply.status() != 404 || more) {
      throw RefusedException.last(
          "deletion-refused",
          ref + ": what it holds cannot be listed: " + reply.message(),
          "What cannot be listed counts as present. Empty it first.");
    }
    if (reply.body().get("items") instanceof List<?> items) {
      for (Object item : items) {
        foreign(ref, new ClusterObject(Values.map(item)), what);
      }
    }
  }

  private void foreign(ObjectRef ref, ClusterObject item, String what) throws RefusedException {
    Stamp stamp = new StepConfig(call).stamp();
    if (stamp.read(item) != Stamp.Verdict.OURS && item.metadata().get("ownerReferences") == null) {
      throw RefusedException.last(
          "deletion-refused",
          "%s holds %s '%s', which does not belong to this resource"
              .formatted(ref, what, item.metadata().get("name")),
          "Delete or move that first.");
    }
  }
}
