package dev.slipway.applications.simulate;

import dev.slipway.applications.plan.PlanAnswer;
import dev.slipway.engine.lifecycle.State;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan, and for each resource that it changes the workflow that would run.
 *
 * @param approvals approvals that would be required
 */
public record Simulation(PlanAnswer plan, List<Work> work, List<Approval> approvals) {

  /**
   * One run of a workflow.
   *
   * @param operation create, update or delete
   * @param outputs what the resource would have afterwards
   */
  public record Work(
      String resource,
      String type,
      String operation,
      String provider,
      String providerVersion,
      String workflow,
      List<Input> parameters,
      List<RehearsedStep> steps,
      Map<String, @Nullable Object> outputs) {}

  /** A parameter, its value, and where that came from. */
  public record Input(String name, @Nullable Object value, Origin from) {}

  /** Where a value came from. */
  public enum Origin implements State {
    PARAMS,
    INJECTED,
    OUTPUTS,
    DEFAULT,
    NOWHERE
  }

  /**
   * A step.
   *
   * @param wave steps of one wave start together, as soon as those of the waves before are done
   * @param why in words, when it does not simply run
   * @param config rendered as far as it is known
   * @param calls what it runs instead of doing something itself
   */
  public record RehearsedStep(
      String name,
      String type,
      int wave,
      List<String> dependsOn,
      Verdict runs,
      @Nullable String why,
      Map<String, @Nullable Object> config,
      Map<String, @Nullable Object> env,
      @Nullable Called calls) {}

  /** A workflow that a step calls. */
  public record Called(
      String provider,
      String providerVersion,
      String workflow,
      List<Input> parameters,
      List<RehearsedStep> steps,
      Map<String, @Nullable Object> outputs) {}

  /** Whether a step would run. */
  public enum Verdict implements State {
    YES,
    NO,
    UNKNOWN,
    /** Only after another step has failed. */
    ON_FAILURE
  }

  /**
   * An approval that is asked for: before everything (no resource), or by a step. A step of a
   * called workflow is named {@code outer/inner}.
   */
  public record Approval(
      @Nullable String resource, @Nullable String step, String why, Verdict asked) {}
}
