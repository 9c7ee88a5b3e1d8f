package dev.slipway.bench;

import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.kubernetes.apply.ClusterObjects;
import dev.slipway.kubernetes.apply.ClusterObjects.Adoption;
import dev.slipway.kubernetes.apply.ClusterObjects.Change;
import dev.slipway.kubernetes.apply.ClusterObjects.Conflicts;
import dev.slipway.kubernetes.apply.ClusterObjects.Session;
import dev.slipway.kubernetes.apply.Manifest;
import dev.slipway.kubernetes.apply.ObjectRef;
import dev.slipway.kubernetes.apply.Stamp;
import dev.slipway.kubernetes.apply.WarmCache;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.Cluster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** ConfigMaps of one namespace, each of another resource. */
record SettingsObjects(String namespace) {
  private static final int AT_ONCE = 32;
  private static final ApiKind CONFIG_MAP =
      new ApiKind("v1", "ConfigMap", "configmaps", ApiKind.Scope.NAMESPACED);

  /** Does something with the object of that number. */
  interface One {
    void with(int number) throws Exception;
  }

  /** Does it with as many objects as are said, 32 at once. */
  static void all(int objects, One one) throws Exception {
    Semaphore places = new Semaphore(AT_ONCE);
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < objects; i++) {
        int number = i;
        places.acquire();
        all.add(
            threads.submit(
                () -> {
                  try {
                    one.with(number);
                  } finally {
                    places.release();
                  }
                  return number;
                }));
      }
    }
    for (Future<?> each : all) {
      each.get();
    }
  }

  static Stamp stamp(int number) {
    return new Stamp(
        "0199a000-0000-7000-8000-%012d".formatted(number), "team", "shop", "default", "web");
  }

  Map<String, Object> content(int number, String value) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", "settings-" + number);
    metadata.put("namespace", namespace);
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("apiVersion", "v1");
    content.put("kind", "ConfigMap");
    content.put("metadata", metadata);
    content.put("data", Map.of("colour", value, "text", "x".repeat(200)));
    return content;
  }

  ObjectRef ref(int number) {
    return new ObjectRef(CONFIG_MAP, Optional.of(namespace), "settings-" + number);
  }

  /** Applies one as a step with one document does. */
  Change apply(Cluster cluster, WarmCache warm, int number, String value) throws Exception {
    Session session =
        new Session(
            stamp(number),
            Optional.empty(),
            () -> {},
            Instant.now().plusSeconds(60),
            InstantSource.system());
    Manifest manifest =
        new Manifest(ref(number), new RenderedManifest(content(number, value), Optional.empty()));
    ClusterObjects objects = new ClusterObjects(cluster, warm, session);
    return objects
        .apply(
            manifest, objects.glance(manifest, Adoption.REFUSED), Conflicts.FAIL, Adoption.REFUSED)
        .change();
  }

  /** The same patch by the bare client, with labels and annotations of the stamp. */
  void apply(BareApply bare, int number, String value) throws Exception {
    Map<String, Object> content = content(number, value);
    Map<String, Object> metadata = new LinkedHashMap<>(Values.map(content.get("metadata")));
    String owner = stamp(number).owner();
    metadata.put("labels", Map.of("slipway.dev/owner", owner, "slipway.dev/team", "team"));
    metadata.put(
        "annotations",
        Map.of(
            "slipway.dev/owner",
            owner,
            "slipway.dev/team",
            "team",
            "slipway.dev/environment",
            "default",
            "slipway.dev/provider",
            "web",
            "slipway.dev/application",
            "shop"));
    content.put("metadata", metadata);
    bare.apply(ref(number).path(), content);
  }

  /** Makes the namespace. */
  SettingsObjects made(BareApply bare) throws Exception {
    bare.apply(
        "/api/v1/namespaces/" + namespace,
        Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", namespace)));
    return this;
  }
}
