package dev.slipway.cli.cases;

import java.util.List;
import java.util.Map;

/**
 * One case: what is asked for, action after action, and what must come of it.
 *
 * @param place file:line:column
 * @param application under which name things are asked for
 * @param subject the resource type, or the golden path
 * @param settings keys of the administrator's configuration that hold while it runs
 * @param grants what the provider may use while it runs
 */
public record TestCase(
    String name,
    String place,
    String application,
    Subject subject,
    String environment,
    Map<String, Object> settings,
    Map<String, Object> grants,
    List<Action> actions) {

  /** What a case is about. */
  public sealed interface Subject {
    /** Resources of a type, called {@code name} in the application. */
    record Resource(String type, String name, String resourceClass, Map<String, Object> annotations)
        implements Subject {}

    /** A golden path. */
    record GoldenPath(String name) implements Subject {}
  }

  /** What can be done. */
  public enum Operation {
    CREATE,
    UPDATE,
    READ,
    DELETE,
    RUN
  }

  /**
   * One thing that is done.
   *
   * @param recorded by step, one answer an attempt, instead of executing it
   */
  public record Action(
      String place,
      Operation operation,
      Map<String, Object> params,
      Map<String, List<Map<String, Object>>> recorded,
      Expectation expect) {}
}
