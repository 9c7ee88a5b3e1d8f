package dev.slipway.cli.cases;

import java.time.Duration;
import java.util.List;

/**
 * How a case went.
 *
 * @param file the file of cases that it is from
 * @param failures one a different action, in order; empty when all was as expected
 * @param error why it could not be carried out to its end; empty when it could
 * @param log what the steps wrote, for those who look for a reason
 */
public record CaseResult(
    TestCase testCase,
    String file,
    Duration duration,
    List<Failure> failures,
    String error,
    List<String> log) {

  /**
   * An action that came to something else.
   *
   * @param hint what to do about it; empty when the differences say it
   */
  public record Failure(String place, String operation, List<Difference> differences, String hint) {
    /** {@code life.yaml:12:5: update}. */
    public String title() {
      return place + ": " + operation;
    }
  }

  public boolean passed() {
    return failures.isEmpty() && error.isEmpty();
  }

  /** What is said about it below its name. */
  public List<String> lines() {
    List<String> lines = new java.util.ArrayList<>();
    for (Failure failure : failures) {
      lines.add(failure.title());
      failure.differences().forEach(d -> d.lines().forEach(line -> lines.add("  " + line)));
      failure.hint().lines().forEach(line -> lines.add("  " + line));
    }
    if (!error.isEmpty()) {
      error.lines().forEach(lines::add);
    }
    return lines;
  }
}
