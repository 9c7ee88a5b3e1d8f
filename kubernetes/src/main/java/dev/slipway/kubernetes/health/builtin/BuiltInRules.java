package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.GroupKind;
import dev.slipway.kubernetes.health.HealthRule;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of built-in rules: which kind, which of its versions, which rule. */
public final class BuiltInRules {
  private static final String ANY = "*";

  private record Row(Set<String> versions, HealthRule rule) {}

  private static final Map<GroupKind, Row> ROWS = new HashMap<>();

  static {
    add("apps", "Deployment", DeploymentRule::judge, "v1");
    add("apps", "StatefulSet", StatefulSetRule::judge, "v1");
    add("apps", "DaemonSet", DaemonSetRule::judge, "v1");
    add("apps", "ReplicaSet", ReplicaSetRule::judge, "v1");
    add("", "Pod", PodRule::judge, "v1");
    add("", "Service", NetworkRules::service, "v1");
    add("", "PersistentVolumeClaim", PhaseRules::claim, "v1");
    add("", "Namespace", PhaseRules::namespace, "v1");
    add("batch", "Job", JobRules::job, "v1");
    add("batch", "CronJob", JobRules::cronJob, ANY);
    add("networking.k8s.io", "Ingress", NetworkRules::ingress, ANY);
    add("extensions", "Ingress", NetworkRules::ingress, ANY);
    add("autoscaling", "HorizontalPodAutoscaler", AutoscalerRule::first, "v1");
    add(
        "autoscaling",
        "HorizontalPodAutoscaler",
        AutoscalerRule::second,
        "v2",
        "v2beta1",
        "v2beta2");
    add("policy", "PodDisruptionBudget", DisruptionBudgetRule::judge, ANY);
    add("apiregistration.k8s.io", "APIService", ApiRules::service, "v1", "v1beta1");
    add("apiextensions.k8s.io", "CustomResourceDefinition", ApiRules::definition, ANY);
    add("argoproj.io", "Application", ArgoRules::application, ANY);
    add("argoproj.io", "Workflow", ArgoRules::workflow, ANY);
    add("ceph.rook.io", "CephCluster", new CephClusterRule(CephClusterRule.Warnings.COUNT), ANY);
    add("acid.zalan.do", "postgresql", PostgresqlRule::judge, ANY);
  }

  private BuiltInRules() {}

  private static void add(String group, String kind, HealthRule rule, String... versions) {
    GroupKind key = new GroupKind(group, kind);
    Row before = ROWS.get(key);
    Set<String> own = Set.of(versions);
    ROWS.put(
        key,
        before == null
            ? new Row(own, rule)
            : new Row(
                union(before.versions(), own),
                (object, others) ->
                    (own.contains(object.version()) ? rule : before.rule()).judge(object, others)));
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> both = new java.util.TreeSet<>(one);
    both.addAll(other);
    return both;
  }

  /** The rule for this object's kind. A version that the rule does not know is Unknown. */
  public static Optional<HealthRule> find(LiveObject object) {
    return Optional.ofNullable(ROWS.get(object.groupKind()))
        .map(
            row ->
                row.versions().contains(ANY) || row.versions().contains(object.version())
                    ? row.rule()
                    : (unsupported, others) ->
                        Optional.of(
                            ObjectHealth.unknown(
                                "unsupported version "
                                    + unsupported.apiVersion()
                                    + " of "
                                    + unsupported.kind())));
  }
}
