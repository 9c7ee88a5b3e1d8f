package dev.slipway.applications.progress;

import dev.slipway.applications.plan.KnownResource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the next move of an application depends on.
 *
 * @param uses the resources that its spec names, by name
 * @param variables of the environment
 * @param namespaceTemplate of the environment; null: {@code <app>-<environment>}
 * @param metadata of the spec
 * @param workload containers and service with placeholders of resources left in them
 * @param workloadHash of the workload as it was bound last
 * @param resources those it uses or owns, what these depend on, and what depends on these
 */
public record Situation(
    UUID application,
    String name,
    String environment,
    String environmentType,
    Map<String, @Nullable Object> variables,
    @Nullable String namespaceTemplate,
    String team,
    Phase phase,
    Map<String, UUID> uses,
    Map<String, @Nullable Object> metadata,
    Map<String, @Nullable Object> workload,
    @Nullable String workloadHash,
    @Nullable Deployment deployment,
    List<KnownResource> resources) {

  /** The same with the metadata of the spec. */
  public Situation with(Map<String, @Nullable Object> read) {
    return new Situation(
        application,
        name,
        environment,
        environmentType,
        variables,
        namespaceTemplate,
        team,
        phase,
        uses,
        read,
        workload,
        workloadHash,
        deployment,
        resources);
  }

  /** What its newest deployment is about. */
  public enum Phase {
    LIVE,
    TEARDOWN
  }

  /** The newest deployment that is in force. */
  public record Deployment(UUID id, Status status, String createdBy) {
    /** How far it is. */
    public enum Status {
      RUNNING,
      COMPLETED,
      FAILED
    }
  }
}
