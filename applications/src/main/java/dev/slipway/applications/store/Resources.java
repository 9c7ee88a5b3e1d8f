package dev.slipway.applications.store;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.slipway.engine.graph.NodeRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What callers say about resources, and what they get. */
public final class Resources {
  private Resources() {}

  /**
   * What the looks at a resource say about its health.
   *
   * @param since from when on all looks found the same
   * @param sampledAt when the last look began
   * @param rule which rule said so
   */
  public record Observed(Instant since, Instant sampledAt, String message, String rule) {}

  /**
   * The gate of a resource that is active and was not seen Healthy since its last run: what depends
   * on it waits.
   *
   * @param state waiting, or failed when it gave up
   * @param code why, stable
   * @param since when it began to wait
   * @param deadline when it is judged again though no look has found anything
   */
  public record ClosedGate(
      String state,
      String code,
      String detail,
      @Nullable Instant since,
      @Nullable Instant deadline) {}

  /** A resource as it is; secrets are masked. */
  public record View(
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
  public record NewResource(
      String application,
      String environment,
      Optional<String> team,
      String name,
      Map<String, Object> body) {}

  /** Which resources to list; empty fields do not limit. Deleted ones only when asked for. */
  public record Filter(
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
  public record Transition(
      int incarnation,
      @Nullable String from,
      String to,
      String actor,
      String reason,
      @Nullable UUID runId,
      @Nullable Long epoch,
      Instant at) {}

  /** Whether secrets are shown; showing them needs the right to change, and is audited. */
  public enum Reveal {
    MASKED,
    CLEAR
  }

  /** A change of health that looks have found. */
  public record HealthChange(Instant at, String health, String revision, String message) {}

  /**
   * How to try again. Steps that succeeded in the run before are taken over as long as the resource
   * is still asked for with the same params.
   *
   * @param run the run to try again, which must be the resource's last; empty: whichever that is
   * @param carry which of its steps may be taken over; empty: all that succeeded
   */
  public record Again(Optional<UUID> run, Optional<Set<String>> carry, By by) {
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
}
