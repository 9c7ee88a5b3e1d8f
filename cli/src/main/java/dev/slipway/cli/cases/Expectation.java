package dev.slipway.cli.cases;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What must come of an action. What is not said is not compared, but for the state: without any
 * word an action must succeed.
 *
 * @param state of the resource afterwards
 * @param run how the run ended
 * @param workflow which workflow did it
 * @param refused why it is not even accepted
 */
public record Expectation(
    Optional<String> state,
    Optional<String> run,
    Optional<String> workflow,
    Optional<List<Step>> steps,
    Order order,
    Map<String, Object> outputs,
    Optional<Fault> failure,
    Optional<Fault> refused) {

  /** Whether steps must begin in the order in which they are listed. */
  public enum Order {
    AS_LISTED,
    ANY
  }

  /** A step, and what is expected of it; empty is not compared. */
  public record Step(
      String name,
      Optional<String> status,
      Optional<Integer> attempts,
      Map<String, Object> inputs,
      Map<String, Object> outputs,
      Optional<Fault> error) {}

  /** A failure: its code, and a part of its message. */
  public record Fault(Optional<String> code, Optional<String> message) {}

  /** Succeeds, whatever it does. */
  public static final Expectation SUCCESS =
      new Expectation(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Order.AS_LISTED,
          Map.of(),
          Optional.empty(),
          Optional.empty());
}
