package dev.slipway.web;

/** Ends a call with a problem document. */
public final class ProblemException extends RuntimeException {
  private final transient Problem problem;

  ProblemException(Problem problem) {
    // Reports a mistake of the client, so no stack trace is collected.
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
