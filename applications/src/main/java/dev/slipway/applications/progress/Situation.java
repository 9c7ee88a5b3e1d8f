package dev.slipway.applications.progress;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.lifecycle.State;
import java.time.Instant;
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
 * @param now when the decision is made: gates wait for times
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
    List<KnownResource> resources,
    Instant now) {

  /** The same with the metadata of the spec. */
  public Situation with(Map<String, @Nullable Object> read) {
    return with(read, resources, now);
  }

  /** The same with these resources. */
  public Situation with(List<KnownResource> others) {
    return with(metadata, others, now);
  }

  /** The same at that time. */
  public Situation at(Instant time) {
    return with(metadata, resources, time);
  }

  private Situation with(
      Map<String, @Nullable Object> read, List<KnownResource> others, Instant time) {
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
        others,
        time);
  }

  /** What its newest deployment is about. */
  public enum Phase {
    LIVE,
    TEARDOWN
  }

  /** The newest deployment that is in force. */
  public record Deployment(UUID id, Status status, String createdBy) {
    /** How far it is; one that waits or was superseded is not in force. */
    public enum Status implements State {
      RUNNING,
      COMPLETED,
      FAILED
    }
  }
}
