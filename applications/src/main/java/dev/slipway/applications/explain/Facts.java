package dev.slipway.applications.explain;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded about a resource.
 *
 * @param missing what it depends on that is not ready, by name
 * @param dependents what still depends on it, when it is to be deleted
 * @param observed what looks have found of it
 * @param gate its own gate, while that is not open
 */
public record Facts(
    String name,
    String id,
    String identity,
    ResourceState state,
    Instant since,
    @Nullable Map<String, Object> reason,
    Map<String, Needed> missing,
    List<String> dependents,
    Optional<Run> run,
    boolean wanted,
    Optional<Observation> observed,
    Optional<Gated> gate) {

  /** A resource that another one depends on. */
  public record Needed(ResourceState state, Optional<Gated> gate) {}

  /** The run in charge and the step that counts: running, waiting or failed. */
  public record Run(String id, String workflow, RunState state, Optional<Step> step) {}

  /** That step. */
  public record Step(
      String name,
      StepState state,
      int attempt,
      @Nullable String waitingFor,
      @Nullable Instant wakeAt,
      @Nullable Instant startedAt,
      @Nullable Map<String, Object> error,
      @Nullable String approval) {}

  /** The same with its run. */
  public Facts with(Optional<Run> found) {
    return new Facts(
        name,
        id,
        identity,
        state,
        since,
        reason,
        missing,
        dependents,
        found,
        wanted,
        observed,
        gate);
  }

  boolean active() {
    return state == ResourceState.ACTIVE;
  }

  /** Failed, or still there with an older configuration. */
  boolean broken() {
    return state == ResourceState.FAILED || state == ResourceState.DEGRADED;
  }

  /** What a look found that is not as it should be. */
  Optional<Observation> unwell() {
    return observed.filter(o -> o.sample().health() != Health.HEALTHY);
  }

  /** The same, without a resource that nothing can look at. */
  Optional<Observation> seenUnwell() {
    return unwell().filter(o -> !o.sample().rule().equals(Sample.NOT_OBSERVABLE));
  }

  /** The step that counts. */
  Optional<Step> step() {
    return run.flatMap(Run::step);
  }

  /** Its run, while that goes on. */
  Optional<Run> openRun() {
    return run.filter(r -> !r.state().finished());
  }

  /** The approval that its run waits for. */
  Optional<String> approval() {
    return openRun().flatMap(Run::step).map(Step::approval);
  }
}
