package dev.slipway.cli.cases;

import dev.slipway.engine.resolve.ProviderTestForms;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One case: what is asked for, action after action, and what must come of it.
 *
 * @param place file:line:column
 * @param application under which name things are asked for
 * @param subject the resource type, or the golden path
 * @param settings keys of the administrator's configuration that hold while it runs
 * @param grants what the provider may use while it runs
 * @param ownership about the attempts of another team that run beside it
 */
public record TestCase(
    String name,
    String place,
    String application,
    Subject subject,
    String environment,
    Map<String, Object> settings,
    Map<String, Object> grants,
    List<Action> actions,
    Ownership ownership) {

  /** The same case under another name. */
  public TestCase named(String other) {
    return new TestCase(
        other, place, application, subject, environment, settings, grants, actions, ownership);
  }

  /** Whether it makes something for real: its create is executed and has to succeed. */
  public boolean makes() {
    Action first = actions.getFirst();
    return subject instanceof Subject.Resource && succeeds(first);
  }

  /** The params of its first update that is executed and has to succeed. */
  public Optional<Map<String, Object>> update() {
    return actions.stream()
        .filter(a -> a.operation() == Operation.UPDATE && succeeds(a))
        .map(Action::params)
        .findFirst();
  }

  private static boolean succeeds(Action action) {
    Expectation expect = action.expect();
    return action.recorded().isEmpty()
        && expect.failure().isEmpty()
        && expect.refused().isEmpty()
        && expect.state().filter(s -> !ProviderTestForms.ACTIVE.equals(s)).isEmpty()
        && expect.run().filter(r -> !r.equals("succeeded")).isEmpty();
  }

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
