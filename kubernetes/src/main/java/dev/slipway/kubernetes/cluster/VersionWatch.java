package dev.slipway.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The current versions of all objects of one kind that have a label, kept by a watch. Nothing else
 * of the objects is kept. Where the cluster does not allow the watch, no version is known.
 */
public final class VersionWatch implements AutoCloseable {
  private final SharedIndexInformer<GenericKubernetesResource> informer;
  private final Names names = new Names();

  /** Begins to watch. */
  public VersionWatch(Cluster cluster, ApiKind kind, String label) {
    String version = kind.apiVersion().substring(kind.apiVersion().indexOf('/') + 1);
    ResourceDefinitionContext context =
        new ResourceDefinitionContext.Builder()
            .withGroup(kind.group())
            .withVersion(version)
            .withKind(kind.kind())
            .withPlural(kind.plural())
            .withNamespaced(kind.scope() == ApiKind.Scope.NAMESPACED)
            .build();
    this.informer =
        cluster
            .client()
            .genericKubernetesResources(context)
            .inAnyNamespace()
            .withLabel(label)
            .runnableInformer(0)
            .itemStore(names)
            .exceptionHandler((_, e) -> !cluster.closed() && !refused(e));
    informer.start();
  }

  /** The version of an object now; empty when it is not known, or when there is no such object. */
  public Optional<String> version(Optional<String> namespace, String name) {
    return current() ? Optional.ofNullable(names.versions.get(key(namespace, name))) : Optional.empty();
  }

  /** Whether there is no such object with the label now; no, when that is not known. */
  public boolean absent(Optional<String> namespace, String name) {
    return current() && !names.versions.containsKey(key(namespace, name));
  }

  private boolean current() {
    return informer.hasSynced() && informer.isWatching();
  }

  private static String key(Optional<String> namespace, String name) {
    return namespace.map(n -> n + "/").orElse("") + name;
  }

  private static boolean refused(Throwable thrown) {
    return thrown instanceof KubernetesClientException e
        && (e.getCode() == 403 || e.getCode() == 404);
  }

  @Override
  public void close() {
    informer.stop();
  }

  /** Keeps the name and the version of each object. */
  private static final class Names implements ItemStore<GenericKubernetesResource> {
    private final Map<String, String> versions = new ConcurrentHashMap<>();

    @Override
    public String getKey(GenericKubernetesResource object) {
      String namespace = object.getMetadata().getNamespace();
      return (namespace == null || namespace.isEmpty() ? "" : namespace + "/")
          + object.getMetadata().getName();
    }

    @Override
    public @Nullable GenericKubernetesResource put(String key, GenericKubernetesResource object) {
      String before = versions.put(key, object.getMetadata().getResourceVersion());
      return before == null ? null : named(key, before);
    }

    @Override
    public @Nullable GenericKubernetesResource remove(String key) {
      String before = versions.remove(key);
      return before == null ? null : named(key, before);
    }

    @Override
    public Stream<String> keySet() {
      return versions.keySet().stream();
    }

    @Override
    public Stream<GenericKubernetesResource> values() {
      return versions.entrySet().stream().map(e -> named(e.getKey(), e.getValue()));
    }

    @Override
    public int size() {
      return versions.size();
    }

    @Override
    public @Nullable GenericKubernetesResource get(String key) {
      String version = versions.get(key);
      return version == null ? null : named(key, version);
    }

    @Override
    public boolean isFullState() {
      return false;
    }

    private static GenericKubernetesResource named(String key, String version) {
      int slash = key.indexOf('/');
      GenericKubernetesResource object = new GenericKubernetesResource();
      object.setMetadata(
          new ObjectMetaBuilder()
              .withNamespace(slash < 0 ? null : key.substring(0, slash))
              .withName(key.substring(slash + 1))
              .withResourceVersion(version)
              .build());
      return object;
    }
  }
}
