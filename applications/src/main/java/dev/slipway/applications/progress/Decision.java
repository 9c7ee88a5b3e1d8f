package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What to do next for an application, and where it then stands.
 *
 * @param waits what is to be remembered for the next decision, where it differs from before
 * @param problems what stops its deployment for good, once nothing else is under way
 * @param more resources were left out because enough runs begin already: ask again afterwards
 * @param until when to ask again at the latest, because a gate waits
 */
public record Decision(
    List<Move> moves,
    List<Wait> waits,
    ResourceState state,
    Situation.Deployment.@Nullable Status deployment,
    List<Problem> problems,
    boolean more,
    Optional<Instant> until) {

  /** {@link dev.slipway.applications.plan.KnownResource#waitsFor} from now on. */
  public record Wait(UUID resource, @Nullable UUID on) {}

  /** A resource (or the workload) and what is wrong with it. */
  public record Problem(String subject, Reason reason) {}

  public Decision {
    moves = List.copyOf(moves);
    waits = List.copyOf(waits);
    problems = List.copyOf(problems);
  }
}
