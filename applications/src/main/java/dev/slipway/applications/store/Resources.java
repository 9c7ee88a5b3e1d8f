package dev.slipway.applications.store;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.Page;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be asked about resources. */
public interface Resources {

  /**
   * What the looks at a resource say about its health.
   *
   * @param since from when on all looks found the same
   * @param sampledAt when the last look began
   * @param rule which rule said so
   */
  record Observed(Instant since, Instant sampledAt, String message, String rule) {}

  /**
   * The gate of a resource that is active and was not seen Healthy since its last run: what depends
   * on it waits.
   *
   * @param state waiting, or failed when it gave up
   * @param code why, stable
   * @param since when it began to wait
   * @param deadline when it is judged again though no look has found anything
   */
  record ClosedGate(
      String state,
      String code,
      String detail,
      @Nullable Instant since,
      @Nullable Instant deadline) {}

  /** A resource as it is; secrets are masked. */
  record View(
      UUID id,
      NodeRef node,
      String identity,
      String application,
      String environment,
      String team,
      String name,
      String type,
      @JsonProperty("class") String resourceClass,
      String state,
      Instant since,
      String health,
      @Nullable Observed observed,
      @Nullable ClosedGate gate,
      @Nullable Map<String, Object> reason,
      @Nullable String provider,
      Map<String, Object> params,
      Map<String, Object> outputs,
      String deletionPolicy,
      boolean detached,
      @Nullable UUID runId,
      List<String> dependsOn,
      List<String> blockedBy,
      List<String> users,
      int incarnation,
      long version,
      Instant createdAt,
      Instant updatedAt) {}

  /**
   * A resource that is asked for without a Score file.
   *
   * @param team owner of the application if that is new; empty: the caller's only team
   * @param body as a Score file has it below the resource's name
   */
  record NewResource(
      String application,
      String environment,
      Optional<String> team,
      String name,
      Map<String, Object> body) {}

  /** Which resources to list; empty fields do not limit. Deleted ones only when asked for. */
  record Filter(
      Optional<String> application,
      Optional<String> environment,
      Optional<String> type,
      Optional<String> state,
      Optional<String> provider) {
    /** All that are not deleted. */
    public static final Filter ALL =
        new Filter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
  }

  /** A change of state that happened. */
  record Transition(
      int incarnation,
      @Nullable String from,
      String to,
      String actor,
      String reason,
      @Nullable UUID runId,
      @Nullable Long epoch,
      Instant at) {}

  /** Whether secrets are shown; showing them needs the right to change, and is audited. */
  enum Reveal {
    MASKED,
    CLEAR
  }

  /**
   * Adds a resource to an application, which is made if it is not there, as a new revision of its
   * document: all that holds for documents holds here.
   */
  Applications.Accepted create(Caller caller, NewResource resource);

  /** One page, by environment and identity. */
  Page<View> list(Caller caller, Filter filter, Page.Ask page);

  /** One resource. */
  View show(Caller caller, UUID id);

  /** Its outputs. */
  Map<String, Object> outputs(Caller caller, UUID id, Reveal reveal);

  /** Its history, oldest first, all incarnations. */
  List<Transition> transitions(Caller caller, UUID id);

  /** A change of health that looks have found. */
  record HealthChange(Instant at, String health, String revision, String message) {}

  /** The newest changes of its health, newest first. */
  List<HealthChange> health(Caller caller, UUID id);

  /**
   * How to try again. Steps that succeeded in the run before are taken over as long as the resource
   * is still asked for with the same params.
   *
   * @param run the run to try again, which must be the resource's last; empty: whichever that is
   * @param carry which of its steps may be taken over; empty: all that succeeded
   */
  record Again(Optional<UUID> run, Optional<Set<String>> carry, By by) {
    /** Everything that is done is taken over, by the definition of then. */
    public static final Again USUAL = new Again(Optional.empty(), Optional.empty(), By.STORED);

    /** Which definition. */
    public enum By {
      /** The one that the run before was made with. */
      STORED,
      /** The one that the provider has now. */
      LATEST
    }
  }

  /** Tries again what failed. The new run's id; empty while it waits for something else. */
  Optional<UUID> retry(Caller caller, UUID id, Again again);

  /** The same in the usual way. */
  default Optional<UUID> retry(Caller caller, UUID id) {
    return retry(caller, id, Again.USUAL);
  }

  /**
   * Runs the provider's read workflow, which changes nothing real. If what it finds differs from
   * the resource's outputs, that is drift, and the resource is degraded until a look finds none.
   * The run's id.
   */
  UUID refresh(Caller caller, UUID id);

  /**
   * Deprovisions a resource that no application uses any more (a retained one), or takes one out of
   * its application's spec.
   */
  View delete(Caller caller, UUID id, Applications.Teardown teardown);
}
