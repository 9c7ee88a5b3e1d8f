package dev.slipway.engine.progress;

import dev.slipway.engine.lifecycle.ResourceState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do next for an application, and where it then stands.
 *
 * @param problems what stops its deployment for good, once nothing else is under way
 */
public record Decision(
    List<Move> moves,
    ResourceState state,
    Situation.Deployment.@Nullable Status deployment,
    List<Problem> problems) {

  /** A resource (or the workload) and what is wrong with it. */
  public record Problem(String subject, Reason reason) {}

  public Decision {
    moves = List.copyOf(moves);
    problems = List.copyOf(problems);
  }
}
