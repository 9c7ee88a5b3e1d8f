package dev.slipway.applications.progress;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.Offers;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What next for an application? A pure function of where everything stands, so that it can be asked
 * again at any time: nothing is lost when an answer is, and asking twice does nothing twice. Only
 * the owner of a shared resource moves it.
 */
public final class Progress {
  /**
   * As many runs begin in one decision about everything. Preparing and storing more would hold the
   * transaction open for longer than the database waits for its next statement.
   */
  static final int MOST_STARTS = 500;

  private final Round.Means means;

  /** With these offers, the key that secrets are sealed under, and what follows from drift. */
  public Progress(Offers offers, SecretBox box, Observe.Drift drift) {
    this.means = new Round.Means(offers, box, drift);
  }

  /** Decides about all resources. */
  public Decision decide(Situation situation) {
    return new Round(means, situation, null).decide();
  }

  /**
   * Decides about a few resources and those that depend on the result: the same moves as with all
   * resources, provided that the last decision about each of the rest is still valid. Those
   * decisions are stored in {@link KnownResource#waitsFor}.
   */
  public NeighbourhoodDecision decide(Situation situation, Neighbourhood around) {
    return new Propagation(around, scope -> new Round(means, situation, scope).moved()).decide();
  }

  /** The parameters of a run that is not part of a decision: a look at a resource. */
  public Map<String, @Nullable Object> parameters(
      Situation situation,
      KnownResource resource,
      Operation operation,
      Resolution.Definition definition,
      Map<String, @Nullable Object> params) {
    return switch (new RunParameters(situation, means.box())
        .bind(resource, operation, definition, params)) {
      case RunParameters.Result.Bound(var values) -> values;
      case RunParameters.Result.Refused(Reason reason) ->
          throw new RefusedException(
              new Refusal.Conflict(
                  "invalid-input", reason.message(), reason.hint(), List.of(resource.name())));
    };
  }
}
