package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.resolve.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run to be made. It may be claimed as soon as it is committed. {@code carried} are steps taken
 * over from the run {@code parent} that it retries. {@code timeLimit} counts from its first claim
 * and stands still while it waits for people.
 */
public record NewRun(
    UUID id,
    Kind kind,
    Resolution.Definition definition,
    @Nullable String operation,
    Subject subject,
    String environment,
    String team,
    @Nullable UUID parent,
    Inputs inputs,
    List<StepRecord> carried,
    String createdBy,
    Instant createdAt,
    @Nullable Duration timeLimit) {

  /** Why a run exists. */
  public enum Kind implements State {
    RESOURCE,
    GOLDEN_PATH,
    PLATFORM,
    CHILD,
    ROLLBACK
  }

  /** What it is for; all null for a run that belongs to no application. */
  public record Subject(
      @Nullable UUID application,
      @Nullable String applicationName,
      @Nullable UUID resource,
      @Nullable String resourceName,
      @Nullable String resourceType,
      @Nullable UUID deployment) {
    /** Of no application. */
    public static final Subject NONE = new Subject(null, null, null, null, null, null);
  }

  /**
   * What its templates read: parameters, already bound and checked; context; the resource's outputs
   * as they were. Secret leaves are sealed.
   */
  public record Inputs(
      Map<String, Object> parameters, Map<String, Object> context, Map<String, Object> outputs) {
    /** Nothing at all. */
    public static final Inputs NONE = new Inputs(Map.of(), Map.of(), Map.of());
  }
}
