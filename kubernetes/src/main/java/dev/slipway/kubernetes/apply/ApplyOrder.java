package dev.slipway.kubernetes.apply;

import dev.slipway.kubernetes.cluster.ApiKind;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which documents are applied: what others need comes first; deleting goes the other
 * way round. Documents of one rank stay as they are written.
 */
public enum ApplyOrder {
  NAMESPACES,
  DEFINITIONS,
  /** Quotas, accounts and rights. */
  RULES,
  /** What pods mount. */
  CONTENT,
  NETWORK,
  WORKLOADS,
  /** Custom resources and everything that is not named here. */
  OTHERS;

  private static final List<String> RULE_KINDS =
      List.of(
          "ResourceQuota",
          "LimitRange",
          "PriorityClass",
          "ServiceAccount",
          "ClusterRole",
          "ClusterRoleBinding",
          "Role",
          "RoleBinding",
          "NetworkPolicy");
  private static final List<String> CONTENT_KINDS =
      List.of("Secret", "ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim");
  private static final List<String> WORKLOAD_KINDS =
      List.of(
          "Pod",
          "ReplicaSet",
          "ReplicationController",
          "Deployment",
          "StatefulSet",
          "DaemonSet",
          "Job",
          "CronJob");

  /** By rank. */
  public static final Comparator<ApiKind> BY_RANK = Comparator.comparing(ApplyOrder::of);

  static ApplyOrder of(ApiKind kind) {
    String name = kind.kind();
    if (name.equals("Namespace") && kind.group().isEmpty()) {
      return NAMESPACES;
    }
    if (definition(kind)) {
      return DEFINITIONS;
    }
    if (!kind.group().isEmpty() && kind.group().contains(".") && !builtIn(kind.group())) {
      return OTHERS;
    }
    if (RULE_KINDS.contains(name)) {
      return RULES;
    }
    if (CONTENT_KINDS.contains(name)) {
      return CONTENT;
    }
    if (name.equals("Service")) {
      return NETWORK;
    }
    return WORKLOAD_KINDS.contains(name) ? WORKLOADS : OTHERS;
  }

  /** Whether objects of the kind define other kinds. */
  public static boolean definition(ApiKind kind) {
    return kind.granted().equals("CustomResourceDefinition.apiextensions.k8s.io");
  }

  /** Whether the group belongs to Kubernetes itself. */
  public static boolean builtIn(String group) {
    return !group.contains(".") || group.endsWith(".k8s.io");
  }
}
