package dev.slipway.kubernetes.apply;

import dev.slipway.engine.resolve.ClusterSettings.Claim;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Which objects of a cluster a step may touch at all, by its team and its provider's grants. */
public record Reach(Cluster cluster, WarmCache warm, Grants grants, String team, String provider) {
  private static final ApiKind NAMESPACE =
      new ApiKind("v1", "Namespace", "namespaces", ApiKind.Scope.CLUSTER);

  /** Refuses a kind that the provider would need a grant for. */
  public void kind(ApiKind kind) throws RefusedException {
    if (GuardedKinds.guarded(kind) && !grants.kind(kind.granted())) {
      throw RefusedException.last(
          "kind-not-granted",
          "the provider '%s' may not use objects of kind %s in cluster '%s'"
              .formatted(provider, kind.granted(), cluster.name()),
          "Objects of this kind "
              + (kind.scope() == ApiKind.Scope.CLUSTER
                  ? "have no namespace and reach every team"
                  : "give rights or change limits")
              + "; an administrator can add it to the provider's grants.kinds.");
    }
  }

  /**
   * Refuses a namespace that is not the team's.
   *
   * @param planned namespaces that the same step makes first
   */
  public void namespace(String name, Set<String> planned, Duration left)
      throws RefusedException, ClusterDownException, InterruptedException {
    switch (claim(name)) {
      case NAMED -> {}
      case MATCHED -> {
        if (!planned.contains(name) && !ofTeam(name, left)) {
          throw RefusedException.last(
              "namespace-not-granted",
              "namespace '%s' of cluster '%s' is not stamped as one of team '%s'"
                  .formatted(name, cluster.name(), team),
              "A step with operation: create-namespace makes one that is; an administrator can name"
                  + " an existing one in full in the cluster's teams.");
        }
      }
      case NONE -> throw ungranted(name);
    }
  }

  /** Refuses to make a namespace of a name that the team may not have. */
  public void newNamespace(String name) throws RefusedException {
    if (claim(name) == Claim.NONE) {
      throw ungranted(name);
    }
  }

  private Claim claim(String name) {
    return cluster.settings().claim(team, name);
  }

  private RefusedException ungranted(String name) {
    return RefusedException.last(
        "namespace-not-granted",
        "team '%s' may not use namespace '%s' of cluster '%s'"
            .formatted(team, name, cluster.name()),
        "An administrator can name it in the configuration's clusters.%s.teams.%s.namespaces."
            .formatted(cluster.name(), team));
  }

  private boolean ofTeam(String name, Duration left)
      throws RefusedException, ClusterDownException, InterruptedException {
    ObjectRef ref = new ObjectRef(NAMESPACE, Optional.empty(), name);
    String claim = WarmCache.claim("namespace of", team);
    if (warm.holds(ref, claim).isPresent()) {
      return true;
    }
    ApiReply reply = cluster.read(ApiRequest.get(ref.path()), left);
    if (reply.status() == 404) {
      throw RefusedException.last(
          "namespace-missing",
          "there is no namespace '%s' in cluster '%s'".formatted(name, cluster.name()),
          "Create it first: a step with operation: create-namespace.");
    }
    if (!reply.ok()) {
      throw new Refusals(ref, _ -> Optional.empty()).of(reply);
    }
    ClusterObject namespace = new ClusterObject(reply.body());
    boolean own = namespace.annotation(Stamp.TEAM).filter(team::equals).isPresent();
    if (own) {
      warm.note(ref, claim, namespace);
    }
    return own;
  }

  /** The kind of namespaces, which every cluster has. */
  public static ApiKind namespaces() {
    return NAMESPACE;
  }
}
