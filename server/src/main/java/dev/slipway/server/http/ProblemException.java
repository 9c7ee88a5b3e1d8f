package dev.slipway.server.http;

/** Ends a call with a problem. */
public final class ProblemException extends RuntimeException {
  private final transient Problem problem;

  ProblemException(Problem problem) {
    // Thrown for the caller's mistakes: nobody reads its stack trace.
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
