package dev.slipway.cli.cases;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Judges what a second team's resource came to beside the first team's. */
public final class CaseVerdict {
  /** The code with which a provider refuses a thing that it did not make for the resource. */
  private static final String NOT_OURS = "not-ours";

  private static final String NAMES =
      "Both would use one thing. End derived names in the last 8 digits of"
          + " {{ .parameters.resource_id }}.";
  private static final String STAMP =
      "Write the resource's id to what you make, and look for it before you use, change or delete"
          + " something:\nwhen it is missing, end a script with 77, raise 'SW001' in SQL"
          + " (docs/providers.md, \"Whose is it?\").";
  private static final String OUTPUTS = "outputs.";

  private CaseVerdict() {}

  /**
   * The outputs of a resource that come from its names: an unrelated resource with the same params
   * has another value. A plain copy of a name is none.
   */
  public static List<String> derived(
      Map<String, Object> outputs, Map<String, Object> unrelated, Collection<String> names) {
    List<String> derived = new ArrayList<>();
    outputs.forEach(
        (output, value) -> {
          if (!value.equals(unrelated.get(output)) && !names.contains(String.valueOf(value))) {
            derived.add(output);
          }
        });
    return derived;
  }

  /** A create has to be refused, or to leave outputs of its own where they are derived. */
  public static List<Difference> separate(
      Observed first, Observed second, Collection<String> derived) {
    List<Difference> found = new ArrayList<>(ended("create", "active", second));
    for (String output : derived) {
      Object value = first.outputs().get(output);
      if (value != null && value.equals(second.outputs().get(output))) {
        found.add(
            new Difference(
                OUTPUTS + output,
                "another value than the first team's",
                Difference.shown(value) + ", the first team's"));
      }
    }
    return found;
  }

  /** An operation has to succeed, to fail as {@code not-ours}, or not to be accepted. */
  public static List<Difference> ended(String operation, String state, Observed observed) {
    boolean fine =
        observed.state().equals(state)
            || !observed.problems().isEmpty()
            || observed.failureCode().equals(NOT_OURS);
    return fine
        ? List.of()
        : List.of(new Difference(operation, state + ", or failed as not-ours", observed.text()));
  }

  /** What an author does about it. */
  public static String hint(List<Difference> differences) {
    return differences.stream().anyMatch(d -> d.where().startsWith(OUTPUTS)) ? NAMES : STAMP;
  }
}
