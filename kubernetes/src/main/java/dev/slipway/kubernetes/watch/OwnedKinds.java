package dev.slipway.kubernetes.watch;

import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds the kinds of which a cluster has owned objects: other replicas, or this one before its
 * start, may have applied them. One small request for each kind that can be watched.
 */
public record OwnedKinds(Cluster cluster, String owner) {
  private static final Duration EACH = Duration.ofSeconds(10);

  /** The kinds, in the preferred version of their groups. */
  public List<ApiKind> find() throws ClusterDownException, InterruptedException {
    List<ApiKind> owned = new ArrayList<>();
    for (ApiKind kind : watchable()) {
      ApiReply reply =
          cluster.read(
              ApiRequest.get(kind.path(Optional.empty()))
                  .with("labelSelector", owner)
                  .with("limit", "1")
                  .answering(ApiRequest.Part.METADATA_OF_LIST),
              EACH);
      if (reply.ok() && reply.body().get("items") instanceof List<?> items && !items.isEmpty()) {
        owned.add(kind);
      }
    }
    return owned;
  }

  private List<ApiKind> watchable() throws ClusterDownException, InterruptedException {
    List<ApiKind> kinds = new ArrayList<>(of("v1"));
    ApiReply groups = cluster.read(ApiRequest.get("/apis"), EACH);
    if (groups.body().get("groups") instanceof List<?> list) {
      for (Object group : list) {
        Map<String, Object> preferred = Values.map(Values.map(group).get("preferredVersion"));
        kinds.addAll(of(Objects.toString(preferred.get("groupVersion"), "")));
      }
    }
    return kinds;
  }

  private List<ApiKind> of(String version) throws ClusterDownException, InterruptedException {
    String root = version.contains("/") ? "/apis/" : "/api/";
    ApiReply reply = cluster.read(ApiRequest.get(root + version), EACH);
    List<ApiKind> kinds = new ArrayList<>();
    if (reply.ok() && reply.body().get("resources") instanceof List<?> list) {
      for (Object each : list) {
        Map<String, Object> resource = Values.map(each);
        String plural = String.valueOf(resource.get("name"));
        if (!plural.contains("/")
            && resource.get("verbs") instanceof List<?> verbs
            && verbs.contains("watch")
            && verbs.contains("patch")) {
          kinds.add(
              new ApiKind(
                  version,
                  String.valueOf(resource.get("kind")),
                  plural,
                  Boolean.TRUE.equals(resource.get("namespaced"))
                      ? ApiKind.Scope.NAMESPACED
                      : ApiKind.Scope.CLUSTER));
        }
      }
    }
    return kinds;
  }
}
