package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Grant;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.kubernetes.apply.WarmCaches;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.kubernetes.health.assess.HealthRules;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Works on objects of the configured clusters. */
public record KubernetesExecutor(
    Clusters clusters, WarmCaches warm, Supplier<HealthRules> rules, InstantSource clock)
    implements StepExecutor {
  public static final StepType TYPE =
      new StepType(
              "kubernetes",
              Set.of(),
              List.of(
                  new Field("operation", Kind.TEXT, Need.REQUIRED, "what to do")
                      .also("action")
                      .oneOf(
                          "apply",
                          "check",
                          "create",
                          "create-namespace",
                          "delete",
                          "get",
                          "patch",
                          "wait"),
                  new Field(
                          "cluster",
                          Kind.TEXT,
                          Need.OPTIONAL,
                          "name of a configured cluster that the provider is granted; without it the"
                              + " only one that it is granted")
                      .granted(Grant.CLUSTERS),
                  new Field(
                      "manifest",
                      Kind.MANIFEST,
                      Need.OPTIONAL,
                      "one or several documents, for apply, check and delete"),
                  new Field(
                      "path",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "a file or directory of manifests in the provider, in which no templates are"
                          + " rendered"),
                  new Field(
                      "apiVersion", Kind.TEXT, Need.OPTIONAL, "of one object, such as `apps/v1`"),
                  new Field("kind", Kind.TEXT, Need.OPTIONAL, "of one object"),
                  new Field("name", Kind.TEXT, Need.OPTIONAL, "of one object, or of the namespace"),
                  new Field(
                      "namespace",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "of one object, and of documents that name none"),
                  new Field("labels", Kind.MAP, Need.OPTIONAL, "labels, with create-namespace"),
                  new Field(
                          "conflicts",
                          Kind.TEXT,
                          Need.OPTIONAL,
                          "with apply: what to do about fields that another client manages; fail")
                      .oneOf("fail", "force"),
                  new Field(
                      "adopt",
                      Kind.BOOLEAN,
                      Need.OPTIONAL,
                      "with apply: take over objects whose annotation `slipway.dev/adopt-into` names"
                          + " this resource; they are kept when it is deleted; false"),
                  new Field(
                      "ignoreFields",
                      Kind.LIST,
                      Need.OPTIONAL,
                      "with check: fields whose changes are no drift, such as `spec.replicas`,"
                          + " `/spec/replicas`, `Deployment spec.replicas`,"
                          + " `spec.template.spec.containers[name=web].image`"),
                  new Field(
                          "propagation",
                          Kind.TEXT,
                          Need.OPTIONAL,
                          "with delete: what happens to dependent objects; foreground")
                      .oneOf("foreground", "background", "orphan"),
                  new Field(
                      "wait",
                      Kind.BOOLEAN,
                      Need.OPTIONAL,
                      "with delete: until the objects are gone; true"),
                  new Field(
                      "for",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "with wait: `health` (Healthy by the rules of its kind), `condition=Ready`, `condition=Ready=False`,"
                          + " `jsonpath=$.status.phase=Bound`, `delete`"),
                  new Field("patch", Kind.VALUE, Need.OPTIONAL, "with patch: the change"),
                  new Field("strategy", Kind.TEXT, Need.OPTIONAL, "with patch; merge")
                      .oneOf("merge", "json", "strategic")),
              3,
              StepType.Code.NONE)
          .atMostOne("manifest", "path")
          .documented(
              "Works on objects of a cluster that the configuration names and the provider is"
                  + " granted. Objects are applied on the server with a field manager of the"
                  + " resource's own, namespaces and definitions of kinds first, and carry labels and"
                  + " annotations below `slipway.dev/` that say whose they are. [Kubernetes steps]"
                  + "(kubernetes-steps.md) shows how to write them.",
              "An object that exists without the resource's stamp is `not-ours`, also with force; a"
                  + " missing one is deleted already. All documents are judged before the first"
                  + " change. What is done already changes nothing, so a step goes on after a crash"
                  + " where it was. A cluster that does not answer, a namespace that is being deleted"
                  + " and a kind whose definition is missing are waited for until the step's timeout,"
                  + " without a worker.")
          .giving("objects", "every object: apiVersion, kind, name, namespace, uid, generation")
          .giving("object", "the first one in full; of a Secret without its data")
          .giving("name", "of the first one")
          .giving("namespace", "of the first one")
          .giving("uid", "of the first one")
          .giving("generation", "of the first one")
          .giving("changed", "whether anything was changed")
          .giving(
              "endpoint",
              "the first address that an object has: its status, a load balancer, a service's name;"
                  + " else null");

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    String name = name(call);
    if (name.isEmpty()) {
      return Result.failed(
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
      return Result.failed(
          "cluster-not-granted",
          "the cluster '%s' is not granted to provider '%s'"
              .formatted(name, call.scope().provider()),
          call.scope().grants().caller() == null
              ? "Add it to the provider's grants.clusters in the configuration."
              : "Add it to grants.clusters of the provider and of those whose workflows call this"
                  + " one.");
    }
    Optional<Cluster> cluster;
    try {
      cluster = clusters.find(name);
    } catch (IllegalArgumentException e) {
      return Result.failed(
          "cluster-misconfigured",
          "the cluster '" + name + "' cannot be used: " + e.getMessage(),
          "Correct its entry under clusters in the configuration.");
    }
    if (cluster.isEmpty()) {
      return Result.failed(
          "unknown-cluster",
          "no cluster '" + name + "' is configured",
          Objects.requireNonNullElse(
              Nearest.hint(name, clusters.names()), "Add it under clusters in the configuration."));
    }
    return new KubernetesCall(
            cluster.get(),
            warm.of(cluster.get()),
            call,
            new KubernetesCall.Means(clock, rules.get()))
        .result();
  }

  private static String name(StepCall call) {
    String written = Objects.toString(call.config().get("cluster"), "").strip();
    List<String> granted = call.scope().grants().clusters();
    return written.isEmpty() && granted.size() == 1 ? granted.getFirst() : written;
  }
}
