package dev.slipway.server.api;

import static dev.slipway.web.Route.get;

import dev.slipway.kubernetes.cluster.ClusterHealth;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.web.Answer;
import dev.slipway.web.Lists;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The configured clusters and whether they answer. */
public final class ClusterApi {
  /** A contact of this age still tells how a cluster is. */
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final Clusters clusters;

  public ClusterApi(Clusters clusters) {
    this.clusters = clusters;
  }

  public List<Route> routes() {
    return List.of(
        get("/api/clusters")
            .needs(Action.READ)
            .named("listClusters", "Configured clusters and whether they answer")
            .paged()
            .gives(200, "a piece of the list", "Cluster[]")
            .in(Route.Lane.OUTSIDE)
            .by(call -> Lists.piece(call, all())),
        get("/api/clusters/{name}")
            .needs(Action.READ)
            .named("showCluster", "One cluster")
            .gives(200, "the cluster", "Cluster")
            .in(Route.Lane.OUTSIDE)
            .by(call -> Answer.ok(one(call.path("name")))));
  }

  private List<Map<String, Object>> all() {
    return health().entrySet().stream().map(e -> view(e.getKey(), e.getValue())).toList();
  }

  private Map<String, Object> one(String name) {
    ClusterHealth health = health().get(name);
    if (health == null) {
      throw Problem.notFound("cluster", name).exception();
    }
    return view(name, health);
  }

  private Map<String, ClusterHealth> health() {
    try {
      return clusters.health(FRESH);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }

  private static Map<String, Object> view(String name, ClusterHealth health) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", name);
    out.put("status", health.state().name().toLowerCase(Locale.ROOT));
    out.put("version", health.version().orElse(""));
    out.put("message", health.message());
    out.put("checkedAt", health.at());
    return out;
  }
}
