package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import java.util.List;

/** A configured provider that is not in service in the version it has now, and why. */
public record ProviderProblem(
    String provider,
    String source,
    Kind kind,
    List<Diagnostic> diagnostics,
    Availability availability) {

  /** What is wrong. */
  public enum Kind {
    BROKEN,
    INCOMPATIBLE,
    DUPLICATE_NAME,
    UNREACHABLE,
    /** It comes from a repository, and the first answer is not there yet. */
    FETCHING,
    /** Programs that some of its workflows need are not on this server. */
    MISSING_PROGRAM,
    /** Workflows of other providers that some of its workflows call are not there. */
    MISSING_WORKFLOW,
    /** A policy does not allow what it does. */
    REFUSED
  }

  /** Whether the provider is in service despite the problem. */
  public enum Availability {
    /** The last good version stays in service. */
    LAST_GOOD_VERSION,
    /** In service but for the workflows that lack something. */
    PARTLY_IN_SERVICE,
    OUT_OF_SERVICE
  }
}
