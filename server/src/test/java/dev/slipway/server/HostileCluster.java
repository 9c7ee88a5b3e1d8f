package dev.slipway.server;

import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;

/** The cluster of the hostile world: namespaces of both teams and one that they share. */
final class HostileCluster {
  /** Kinds whose objects no controller changes by itself. */
  private static final List<ResourceDefinitionContext> WATCHED =
      List.of(
          kind("", "v1", "ConfigMap", "configmaps", true),
          kind("", "v1", "Secret", "secrets", true),
          kind("", "v1", "ResourceQuota", "resourcequotas", true),
          kind("", "v1", "PersistentVolume", "persistentvolumes", false),
          kind("rbac.authorization.k8s.io", "v1", "Role", "roles", true),
          kind("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", true),
          kind("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false),
          kind(
              "rbac.authorization.k8s.io",
              "v1",
              "ClusterRoleBinding",
              "clusterrolebindings",
              false),
          kind(
              "apiextensions.k8s.io",
              "v1",
              "CustomResourceDefinition",
              "customresourcedefinitions",
              false));

  private HostileCluster() {}

  private static ResourceDefinitionContext kind(
      String group, String version, String kind, String plural, boolean namespaced) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(namespaced)
        .build();
  }

  /** Its entry in the configuration. */
  static String configuration() {
    KubernetesClient client = TestControlPlane.client();
    for (String name : List.of("blue-apps", "red-apps", "commons")) {
      client
          .namespaces()
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .createOr(old -> null);
    }
    return """
        clusters:
          world:
            kubeconfig: '${file:%s}'
            namespaces: ['{team}-*']
            teams:
              red: {namespaces: [red-apps, commons]}
              blue: {namespaces: [blue-apps, commons]}
        """
        .formatted(TestControlPlane.kubeconfig());
  }

  /** Everything that is there, by name; namespaces without what their controllers write. */
  static void snapshot(Map<String, String> all) {
    KubernetesClient client = TestControlPlane.client();
    client
        .namespaces()
        .list()
        .getItems()
        .forEach(
            each ->
                all.put(
                    "namespace " + each.getMetadata().getName(),
                    each.getMetadata().getUid()
                        + each.getMetadata().getLabels()
                        + each.getMetadata().getAnnotations()));
    for (ResourceDefinitionContext kind : WATCHED) {
      for (GenericKubernetesResource each :
          client.genericKubernetesResources(kind).inAnyNamespace().list().getItems()) {
        all.put(
            "object %s %s/%s"
                .formatted(
                    kind.getKind(),
                    each.getMetadata().getNamespace(),
                    each.getMetadata().getName()),
            Serialization.asJson(each));
      }
    }
  }
}
