package dev.slipway.kubernetes.apply;

import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import dev.slipway.kubernetes.cluster.KindsRefusedException;
import dev.slipway.kubernetes.cluster.KnownKinds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Looks up kinds that a cluster has to have. */
public final class Kinds {
  private static final String UNKNOWN = "unknown-kind";

  private Kinds() {}

  private static Optional<ApiKind> find(
      Cluster cluster, String apiVersion, String kind, Duration left)
      throws RefusedException, ClusterDownException, InterruptedException {
    try {
      return cluster.kinds().find(apiVersion, kind, left);
    } catch (KindsRefusedException e) {
      ApiKind asked = new ApiKind(apiVersion, kind, kind, ApiKind.Scope.CLUSTER);
      throw new Refusals(new ObjectRef(asked, Optional.empty(), "(any)"), _ -> Optional.empty())
          .of(e.reply());
    }
  }

  /**
   * The kind.
   *
   * @throws RefusedException for good when Kubernetes itself has none of that name, for now when
   *     its definition may still appear
   */
  public static ApiKind require(Cluster cluster, String apiVersion, String kind, Duration left)
      throws RefusedException, ClusterDownException, InterruptedException {
    if (!KnownKinds.possible(apiVersion)) {
      throw RefusedException.last(
          "invalid-manifest", "'" + apiVersion + "' is no API version", "Write apps/v1 or v1.");
    }
    Optional<ApiKind> found = find(cluster, apiVersion, kind, left);
    if (found.isPresent()) {
      return found.get();
    }
    String message =
        "cluster '%s' has no kind %s in %s".formatted(cluster.name(), kind, apiVersion);
    String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
    String near = hint(cluster, apiVersion, kind, left);
    if (ApplyOrder.builtIn(group)) {
      throw RefusedException.last(
          UNKNOWN, message, near + "kubectl api-resources lists the kinds of the cluster.");
    }
    throw RefusedException.later(
        UNKNOWN,
        message,
        near + "Its CustomResourceDefinition may be missing; Slipway waits for it.");
  }

  private static String hint(Cluster cluster, String apiVersion, String kind, Duration left)
      throws ClusterDownException, InterruptedException {
    Optional<String> nearest = cluster.kinds().nearest(apiVersion, kind);
    if (nearest.isPresent()) {
      return "Did you mean " + nearest.get() + "? ";
    }
    List<String> served =
        cluster.kinds().serves(apiVersion) ? List.of() : cluster.kinds().versions(apiVersion, left);
    return served.isEmpty() ? "" : "The cluster has " + String.join(", ", served) + ". ";
  }
}
