package dev.slipway.engine.workflow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step. {@code dependsOn} holds what it really waits for, worked out when the workflow was
 * loaded: every earlier step, or what it names and what its templates refer to.
 */
public record Step(
    String name,
    String type,
    Map<String, Object> config,
    When when,
    List<Condition> conditions,
    List<String> dependsOn,
    Duration timeout,
    Retry retry,
    Map<String, String> env,
    List<String> outputs,
    @Nullable String outputFile,
    Map<String, Capture> capture,
    Map<String, Object> setVariables,
    OnError onError,
    List<Step> compensate,
    Optional<SubWorkflow> subWorkflow) {

  /** Of a step that may take as long as its run. */
  public static final Duration NO_TIMEOUT = Duration.ofDays(36_500);

  Step waitingFor(List<String> names) {
    return new Step(
        name,
        type,
        config,
        when,
        conditions,
        names,
        timeout,
        retry,
        env,
        outputs,
        outputFile,
        capture,
        setVariables,
        onError,
        compensate,
        subWorkflow);
  }

  /** In which situation of the run it is considered at all. */
  public enum When {
    ON_SUCCESS,
    ON_FAILURE,
    ALWAYS,
    MANUAL
  }

  /**
   * An {@code if}, {@code unless} or expression of {@code when}: source text and whether negated.
   */
  public record Condition(String source, Expect expect) {
    /**
     * Whether the step may run as far as this condition goes.
     *
     * @throws RenderingException when the condition has no result; the step fails then
     */
    public boolean holds(Scope scope) {
      return Expression.parse(source).holds(scope) == (expect == Expect.TRUE);
    }

    /** What the expression must be for the step to run. */
    public enum Expect {
      TRUE,
      FALSE
    }
  }

  /** Where an output is cut out of. */
  public record Capture(Source from, @Nullable String jsonPath, @Nullable String regex) {
    /** The raw material. */
    public enum Source {
      STDOUT,
      BODY,
      OBJECT
    }
  }

  /** What happens after the last failed attempt. */
  public record OnError(Action action, List<Step> rollbackSteps) {
    /** The choice. */
    public enum Action {
      FAIL,
      CONTINUE,
      ROLLBACK
    }
  }

  /** Another workflow as a step. */
  public record SubWorkflow(String reference, Map<String, Object> parameters) {}
}
