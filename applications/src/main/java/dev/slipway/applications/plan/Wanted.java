package dev.slipway.applications.plan;

import dev.slipway.applications.score.ResourceIdentity;
import dev.slipway.applications.score.Score;
import dev.slipway.applications.score.ScorePlaceholder;
import dev.slipway.applications.score.Sharing;
import dev.slipway.applications.score.Substitution;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an application asks for in one environment, ready to be compared with what is there.
 *
 * @param spec the document to keep, secrets sealed
 * @param workload containers and service; only placeholders of resources are left
 * @param bound names of resources that containers refer to
 * @param document where to point at when something is wrong; null for a teardown
 */
public record Wanted(
    String application,
    String environment,
    Map<String, @Nullable Object> spec,
    List<WantedResource> resources,
    Map<String, @Nullable Object> workload,
    Set<String> bound,
    @Nullable Document document) {

  /** The type of the resource that a workload itself is, for providers that take workloads. */
  public static final String WORKLOAD_TYPE = "workload";

  /** Whether some provider takes workloads. */
  public enum Workloads {
    PROVIDED,
    STORED
  }

  /** Nothing at all: what a teardown asks for. */
  public static Wanted nothing(String application, String environment) {
    return new Wanted(application, environment, Map.of(), List.of(), Map.of(), Set.of(), null);
  }

  /**
   * What a document asks for.
   *
   * @param secretParams names of params that the workflow of a resource type declares secret
   */
  public static Wanted of(
      Score score,
      String environment,
      String environmentType,
      Workloads workloads,
      SecretBox box,
      Function<String, Set<String>> secretParams) {
    OwnValues own = new OwnValues(score, new OwnValues.Target(environment, environmentType), box);
    Map<String, @Nullable Object> spec =
        new SealedSpec(box, secretParams).of(Values.map(score.document().plain()));
    Map<String, @Nullable Object> written = Values.map(spec.getOrDefault("resources", Map.of()));
    List<WantedResource> resources = new ArrayList<>();
    for (Score.Resource resource : score.resources().values()) {
      Map<String, Object> definition = Values.map(written.get(resource.name()));
      resources.add(resource(score, resource, definition, own));
    }
    Map<String, @Nullable Object> workload = Values.map(own.in(Workload.template(spec)));
    if (workloads == Workloads.PROVIDED && !score.containers().isEmpty()) {
      resources.add(implicit(score, workload));
    }
    Set<String> bound = references(box.openLeaves(workload));
    return new Wanted(
        score.name(), environment, spec, resources, workload, bound, score.document());
  }

  /** The identity of the resource that an application's workload is. */
  public static String workloadIdentity(String application) {
    return ResourceIdentity.shared(WORKLOAD_TYPE, ResourceIdentity.DEFAULT_CLASS, application)
        .toString();
  }

  private static WantedResource resource(
      Score score, Score.Resource resource, Map<String, @Nullable Object> written, OwnValues own) {
    return new WantedResource(
        resource.name(),
        score.identity(resource).toString(),
        resource.type(),
        resource.resourceClass(),
        resource.params() == null ? null : Values.map(own.in(written.get("params"))),
        resource.metadata() == null ? null : Values.map(written.get("metadata")),
        resource.dependsOn(),
        resource.workflowTags(),
        resource.deletionPolicy(),
        resource.sharing(),
        resource.sharedFrom(),
        WantedResource.Origin.WRITTEN);
  }

  private static WantedResource implicit(Score score, Map<String, @Nullable Object> workload) {
    // A name that no document can contain, in case this one already uses the obvious name.
    boolean taken = score.resources().containsKey(WORKLOAD_TYPE);
    return new WantedResource(
        taken ? WORKLOAD_TYPE + ":" + score.name() : WORKLOAD_TYPE,
        workloadIdentity(score.name()),
        WORKLOAD_TYPE,
        ResourceIdentity.DEFAULT_CLASS,
        new LinkedHashMap<>(workload),
        null,
        new TreeSet<>(score.resources().keySet()),
        List.of(),
        Optional.empty(),
        Sharing.NONE,
        Optional.empty(),
        WantedResource.Origin.IMPLICIT);
  }

  private static Set<String> references(@Nullable Object tree) {
    Set<String> names = new TreeSet<>();
    for (Substitution.Reference reference : Substitution.references(tree)) {
      switch (reference.placeholder()) {
        case ScorePlaceholder.Output output -> names.add(output.resource());
        case ScorePlaceholder.Id(String resource) -> names.add(resource);
        case ScorePlaceholder.Metadata _,
            ScorePlaceholder.Environment _,
            ScorePlaceholder.Image _ -> {}
      }
    }
    return names;
  }
}
