package dev.slipway.applications.plan;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.score.Score;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A resource as stored: the params of the last request, the outputs of the last run, and its state.
 * Secrets in trees are sealed.
 *
 * @param name in its owner's spec
 * @param users the applications that use it now, oldest first
 * @param userTeams the teams of these applications
 * @param wanted false: its deletion was requested
 * @param detached retained after the last application stopped using it
 * @param replacing to be deleted and created anew
 * @param params as asked for: only placeholders of resources are left in them
 * @param attemptedHash of the resolved params that the last run began with; {@link #DELETING} for a
 *     deletion; null when another attempt may begin
 * @param identifying values of identifying parameters as the create run had them; null when that
 *     run began under a version that kept no record, or none has begun
 * @param work whether a run changes it now
 * @param waitsFor result of its last decision: the id of a neighbour that it waits for, its own id
 *     when it is active and differs from the request; null when neither is known
 * @param health what looks have found, and the gate of the run in charge
 */
public record KnownResource(
    UUID id,
    String identity,
    String type,
    String resourceClass,
    String name,
    UUID owner,
    UUID definedBy,
    String team,
    List<UUID> users,
    Map<UUID, String> userTeams,
    boolean wanted,
    boolean detached,
    boolean replacing,
    Map<String, @Nullable Object> metadata,
    Map<String, @Nullable Object> params,
    @Nullable Map<String, @Nullable Object> appliedParams,
    @Nullable String appliedHash,
    @Nullable Map<String, @Nullable Object> attemptedParams,
    @Nullable String attemptedHash,
    Map<String, @Nullable Object> outputs,
    @Nullable Map<String, @Nullable Object> identifying,
    List<String> sharedWith,
    DeletionPolicy deletionPolicy,
    @Nullable String provider,
    ResourceState state,
    Instant since,
    @Nullable Map<String, @Nullable Object> reason,
    boolean everActive,
    boolean everStarted,
    boolean deleteFailed,
    int incarnation,
    @Nullable UUID run,
    Work work,
    List<Dependency> dependencies,
    @Nullable UUID waitsFor,
    ResourceHealth health,
    long version) {

  /** {@link #attemptedHash} of a deletion. */
  public static final String DELETING = "delete";

  /** What a run does about it at the moment. */
  public enum Work {
    NONE,
    /** A run was created that no replica has claimed yet. */
    UNSTARTED,
    STARTED
  }

  /**
   * Another resource that it needs.
   *
   * @param name by which its params call it
   * @param wanted false: of the configuration before this one
   */
  public record Dependency(UUID on, String name, boolean wanted) {}

  /** Whether a run is in charge of it. */
  public boolean busy() {
    return work != Work.NONE;
  }

  /** The same with a run that a replica has claimed. */
  public KnownResource started() {
    return with(Work.STARTED, health);
  }

  /** The same with what looks have found. */
  public KnownResource observed(Optional<Observation> found) {
    return with(work, health.with(found));
  }

  private KnownResource with(Work doing, ResourceHealth known) {
    return new KnownResource(
        id,
        identity,
        type,
        resourceClass,
        name,
        owner,
        definedBy,
        team,
        users,
        userTeams,
        wanted,
        detached,
        replacing,
        metadata,
        params,
        appliedParams,
        appliedHash,
        attemptedParams,
        attemptedHash,
        outputs,
        identifying,
        sharedWith,
        deletionPolicy,
        provider,
        state,
        since,
        reason,
        everActive,
        everStarted,
        deleteFailed,
        incarnation,
        run,
        doing,
        dependencies,
        waitsFor,
        known,
        version);
  }

  /** The same at the beginning of its next life. */
  public KnownResource revived() {
    return new KnownResource(
        id,
        identity,
        type,
        resourceClass,
        name,
        owner,
        definedBy,
        team,
        users,
        userTeams,
        true,
        false,
        false,
        metadata,
        params,
        null,
        null,
        null,
        null,
        Map.of(),
        null,
        sharedWith,
        deletionPolicy,
        null,
        ResourceState.REQUESTED,
        since,
        null,
        false,
        false,
        false,
        incarnation + 1,
        null,
        Work.NONE,
        dependencies,
        waitsFor,
        ResourceHealth.unknown(health.node()),
        version);
  }

  /**
   * The values by which the real thing is found, as its create run had them. Without a record they
   * are what the resource returned under these names, else what was applied.
   */
  public Map<String, @Nullable Object> identifying(Workflow workflow) {
    if (identifying != null) {
      return identifying;
    }
    Map<String, @Nullable Object> found = new LinkedHashMap<>();
    for (Parameter parameter : workflow.parameters()) {
      if (parameter.part() == Parameter.Part.IDENTIFYING) {
        Object value = outputs.get(parameter.name());
        if (value == null && appliedParams != null) {
          value = appliedParams.get(parameter.name());
        }
        if (value != null) {
          found.put(parameter.name(), value);
        }
      }
    }
    return found;
  }

  /** It was made as asked for, and no look has found it otherwise. */
  public boolean active() {
    return state == ResourceState.ACTIVE;
  }

  /** It is active, and the last decision about it found the gate of its attempt open. */
  public boolean ready() {
    return active() && health.open();
  }

  /** It is there, and its gate is not open yet: what depends on it waits for a look. */
  public boolean gated() {
    return wanted
        && !busy()
        && !health.open()
        && (active() || state == ResourceState.DEGRADED && health.waiting());
  }

  /** Tags that choose among several workflows. */
  public List<String> tags() {
    return new Score.Resource(
            name, type, resourceClass, Optional.empty(), null, metadata, java.util.Set.of())
        .workflowTags();
  }
}
