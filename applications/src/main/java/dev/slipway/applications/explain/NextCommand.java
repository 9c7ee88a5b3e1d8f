package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Facts.Run;
import dev.slipway.applications.progress.Reason;
import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.lifecycle.RunState;
import java.util.Optional;

/** The command that takes a resource further. */
final class NextCommand {
  private NextCommand() {}

  /** Empty when waiting is all there is to do. */
  static Optional<String> of(Facts facts) {
    Optional<String> approval = facts.approval();
    if (approval.isPresent()) {
      return approval.map(id -> "slipway approve " + id);
    }
    if (facts.gate().isEmpty() && facts.broken()) {
      return Optional.of(repair(facts));
    }
    return looks(facts) ? Optional.of("slipway resource refresh " + facts.id()) : Optional.empty();
  }

  /** Whether another look may find something else; the first one of an attempt is under way. */
  private static boolean looks(Facts facts) {
    return facts.gate().isPresent()
        ? facts.gate().get().reason().code() != GateReason.Code.STALE_HEALTH
        : facts.active()
            && facts.wanted()
            && facts.reason() == null
            && facts.missing().isEmpty()
            && facts.seenUnwell().isPresent();
  }

  private static String repair(Facts facts) {
    String code = facts.reason() == null ? "" : String.valueOf(facts.reason().get("code"));
    return switch (code) {
      case Reason.NO_PROVIDER, Reason.NOT_SUPPORTED, Reason.MISSING_PROGRAM ->
          "slipway provider list";
      case Reason.CONFLICT -> "slipway provider conflicts";
      case Reason.INVALID_INPUT -> "slipway deploy score.yaml";
      // A step's workflow chooses its codes, so there is no list of all of them.
      default -> retry(facts);
    };
  }

  private static String retry(Facts facts) {
    return facts
        .run()
        .filter(run -> run.state() == RunState.FAILED)
        .map(Run::id)
        .map(id -> "slipway run retry " + id)
        .orElseGet(() -> "slipway resource retry " + facts.id());
  }
}
