package dev.slipway.kubernetes.watch;

import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.ApiRequest.Body;
import dev.slipway.kubernetes.cluster.ApiRequest.Method;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.kubernetes.health.assess.HealthRules;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A cluster whose owned objects are watched, with everything that the watches reported. */
final class Watched implements AutoCloseable {
  static final ApiKind CONFIG_MAPS =
      new ApiKind("v1", "ConfigMap", "configmaps", ApiKind.Scope.NAMESPACED);
  static final ApiKind SECRETS = new ApiKind("v1", "Secret", "secrets", ApiKind.Scope.NAMESPACED);
  static final ApiKind DEPLOYMENTS =
      new ApiKind("apps/v1", "Deployment", "deployments", ApiKind.Scope.NAMESPACED);

  /** As always, but for what would make a test long. */
  static final WatchTiming QUICK =
      new WatchTiming(
          Duration.ofSeconds(5),
          Duration.ofSeconds(3),
          Duration.ofSeconds(3),
          Duration.ofMillis(50),
          Duration.ofMillis(500),
          Duration.ofMillis(200));

  final String owner = UUID.randomUUID().toString();
  final Cluster cluster;
  final ClusterWatches watches;
  private final String namespace;
  private final List<OwnedChange> reported = new CopyOnWriteArrayList<>();

  Watched(Kubeconfig user, String namespace, WatchTiming timing) {
    this.namespace = namespace;
    this.cluster =
        new Cluster(
            "east",
            new ClusterSettings(
                new Access.Kubeconfig(user.text(), Optional.empty()),
                Optional.empty(),
                List.of(),
                Map.of()),
            InstantSource.system());
    this.watches =
        new ClusterWatches(
            cluster,
            new WatchMeans(
                "slipway.dev/owner",
                "slipway:",
                () -> HealthRules.BUILT_IN,
                timing,
                InstantSource.system(),
                Threads.OF_MACHINE));
    watches.listen(reported::add);
  }

  /** Watches the kind; returns when the watch stands. */
  Watched watching(ApiKind kind) {
    watches.watch(kind);
    Awaitility.await("the watch of " + kind.kind() + " stands")
        .atMost(Duration.ofSeconds(60))
        .until(() -> watches.stands(kind));
    return this;
  }

  /** What was reported about the object of that name, in order. */
  List<OwnedChange.What> reported(String name) {
    return reported.stream()
        .filter(change -> change.owner().equals(owner))
        .filter(change -> change.object().equals(namespace + "/" + name))
        .map(OwnedChange::what)
        .toList();
  }

  /** Applies an object of ours with the manager of its owner. */
  Map<String, Object> apply(ApiKind kind, String name, Map<String, Object> fields) {
    return applyAs("slipway:" + owner, kind, name, fields);
  }

  Map<String, Object> applyAs(
      String manager, ApiKind kind, String name, Map<String, Object> fields) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("apiVersion", kind.apiVersion());
    content.put("kind", kind.kind());
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    if (manager.startsWith("slipway:")) {
      metadata.put("labels", Map.of("slipway.dev/owner", owner));
      metadata.put("annotations", Map.of("slipway.dev/owner", owner));
    }
    content.put("metadata", metadata);
    content.putAll(fields);
    return send(
        ApiRequest.change(
                Method.PATCH,
                kind.path(Optional.of(namespace), name),
                Body.json("application/apply-patch+yaml", content))
            .with("fieldManager", manager)
            .with("force", "true"));
  }

  void delete(ApiKind kind, String name) {
    send(
        ApiRequest.change(
            Method.DELETE,
            kind.path(Optional.of(namespace), name),
            Body.json("application/json", Map.of())));
  }

  /** Changes fields as a client that patches. */
  void patch(ApiKind kind, String name, Map<String, Object> change) {
    send(
        ApiRequest.change(
                Method.PATCH,
                kind.path(Optional.of(namespace), name),
                Body.json("application/merge-patch+json", change))
            .with("fieldManager", "kubectl-edit"));
  }

  private Map<String, Object> send(ApiRequest request) {
    try {
      ApiReply reply = cluster.send(request, Duration.ofSeconds(30), () -> {});
      if (!reply.ok()) {
        throw new IllegalStateException(reply.message());
      }
      return reply.body();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static String version(Map<String, Object> object) {
    return String.valueOf(Values.map(object.get("metadata")).get("resourceVersion"));
  }

  static Map<String, Object> data(String... entries) {
    Map<String, Object> data = new LinkedHashMap<>();
    Stream.of(entries).map(e -> e.split("=", 2)).forEach(e -> data.put(e[0], e[1]));
    return Map.of("data", data);
  }

  @Override
  public void close() {
    watches.close();
    cluster.close();
  }
}
