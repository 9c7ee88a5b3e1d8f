package dev.slipway.applications.simulate;

import dev.slipway.applications.simulate.Simulation.Verdict;
import dev.slipway.engine.workflow.RenderingException;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.StepOutcome;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Judges whether a step will run, with what is known before anything has run. */
final class StepForecast {
  private static final String OWN_STEP = "step ";

  static final String ASKS_FIRST = "waits for an approval first";

  private final Scope scope;
  private final Map<String, StepOutcome> outcomes;
  private final Map<String, StepOutcome> skipped;

  /** With the outcomes of the steps gone through so far, and those of them that will not run. */
  StepForecast(Scope scope, Map<String, StepOutcome> outcomes, Map<String, StepOutcome> skipped) {
    this.scope = scope;
    this.outcomes = outcomes;
    this.skipped = skipped;
  }

  record Judged(Verdict runs, @Nullable String why) {}

  /** Judged with what is known alone: if that is not enough, it says what is missing. */
  private Judged judge(Step.Condition condition) {
    String text =
        (condition.expect() == Step.Condition.Expect.TRUE ? "if " : "unless ") + condition.source();
    Set<String> missing = missing(condition.source());
    try {
      boolean holds = condition.holds(scope.withSteps(skipped));
      if (missing.stream().allMatch(m -> m.startsWith(OWN_STEP))) {
        return holds ? new Judged(Verdict.YES, null) : new Judged(Verdict.NO, text + ": no");
      }
    } catch (RenderingException e) {
      if (missing.isEmpty()) {
        return new Judged(Verdict.UNKNOWN, text + ": " + e.getMessage());
      }
    }
    return new Judged(
        Verdict.UNKNOWN, text + ": unknown until " + String.join(" and ", missing) + " has run");
  }

  Judged judge(Step step) {
    if (step.when() == Step.When.ON_FAILURE) {
      return new Judged(Verdict.ON_FAILURE, "runs only after a failure");
    }
    @Nullable String unknown = null;
    for (Step.Condition condition : step.conditions()) {
      Judged one = judge(condition);
      if (one.runs() == Verdict.NO) {
        return one;
      }
      unknown = one.runs() == Verdict.UNKNOWN ? one.why() : unknown;
    }
    if (unknown != null) {
      return new Judged(Verdict.UNKNOWN, unknown);
    }
    return new Judged(
        Verdict.YES,
        switch (step.when()) {
          case MANUAL -> ASKS_FIRST;
          case ALWAYS -> "runs also after a failure";
          case ON_SUCCESS, ON_FAILURE -> null;
        });
  }

  private Set<String> missing(String source) {
    Set<String> missing = new TreeSet<>();
    for (String step : outcomes.keySet()) {
      if (!skipped.containsKey(step) && mentions(source, step)) {
        missing.add(OWN_STEP + step);
      }
    }
    scope
        .parameters()
        .forEach(
            (name, value) -> {
              if (Unknown.in(value) && mentions(source, name)) {
                missing.add(sourceOf(value));
              }
            });
    return missing;
  }

  private static boolean mentions(String source, String name) {
    return Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])")
        .matcher(source)
        .find();
  }

  /** A parameter is made from a resource, or from a step around the workflow's own. */
  private static String sourceOf(@Nullable Object value) {
    return String.valueOf(value)
        .replaceAll("(?s).*<resources\\.([^.<>]+).*", "resource $1")
        .replaceAll("(?s).*<steps\\.([^.<>]+).*", "outer step $1");
  }
}
