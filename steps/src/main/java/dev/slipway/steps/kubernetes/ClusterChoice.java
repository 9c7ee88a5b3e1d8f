package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.Clusters;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The cluster that a step works in. */
public sealed interface ClusterChoice {
  /** It is granted and can be used. */
  record Chosen(Cluster cluster) implements ClusterChoice {}

  /** The step cannot have one. */
  record Refused(StepError error) implements ClusterChoice {}

  /** The cluster that the step names, or the only one that its provider is granted. */
  static ClusterChoice of(StepCall call, Clusters clusters) {
    String name = name(call);
    if (name.isEmpty()) {
      return refused(
          "cluster-required",
          clusters.names().isEmpty()
              ? "no cluster is configured, and this step needs one"
              : "the step names no cluster, and its provider is not granted exactly one",
          clusters.names().isEmpty()
              ? "Add one under clusters in the configuration, and to the provider's grants.clusters."
              : "Write cluster: NAME in the step; configured: "
                  + String.join(", ", clusters.names())
                  + ".");
    }
    if (!call.scope().grants().cluster(name)) {
      return refused(
          "cluster-not-granted",
          "the cluster '%s' is not granted to provider '%s'"
              .formatted(name, call.scope().provider()),
          call.scope().grants().caller() == null
              ? "Add it to the provider's grants.clusters in the configuration."
              : "Add it to grants.clusters of the provider and of those whose workflows call this"
                  + " one.");
    }
    return found(name, clusters);
  }

  private static ClusterChoice found(String name, Clusters clusters) {
    Optional<Cluster> cluster;
    try {
      cluster = clusters.find(name);
    } catch (IllegalArgumentException e) {
      return refused(
          "cluster-misconfigured",
          "the cluster '" + name + "' cannot be used: " + e.getMessage(),
          "Correct its entry under clusters in the configuration.");
    }
    return cluster
        .<ClusterChoice>map(Chosen::new)
        .orElseGet(
            () ->
                refused(
                    "unknown-cluster",
                    "no cluster '" + name + "' is configured",
                    Objects.requireNonNullElse(
                        Nearest.hint(name, clusters.names()),
                        "Add it under clusters in the configuration.")));
  }

  private static ClusterChoice refused(String code, String message, String hint) {
    return new Refused(StepError.permanent(code, message, hint));
  }

  private static String name(StepCall call) {
    String written = Objects.toString(call.config().get("cluster"), "").strip();
    List<String> granted = call.scope().grants().clusters();
    return written.isEmpty() && granted.size() == 1 ? granted.getFirst() : written;
  }
}
