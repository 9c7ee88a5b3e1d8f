package dev.slipway.cli.cases;

import dev.slipway.cli.cases.Expectation.Fault;
import dev.slipway.cli.cases.Expectation.Order;
import dev.slipway.cli.cases.Expectation.Step;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.ProviderTestForms;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads what is expected. */
final class ExpectationParser {
  private static final Set<String> OF_A_STEP =
      Set.of("name", "status", "attempts", "inputs", "outputs", "error");

  private final Section from;
  private final Consumer<String> step;

  /** Names of steps are given to {@code step}, which refuses those that do not exist. */
  ExpectationParser(Section from, Consumer<String> step) {
    this.from = from;
    this.step = step;
  }

  Expectation parse() {
    Expectation expectation =
        new Expectation(
            from.oneOf("state", ProviderTestForms.RESOURCE_STATES),
            from.oneOf("run", words(RunState.values())),
            from.string("workflow"),
            from.has("steps") ? Optional.of(steps()) : Optional.empty(),
            from.oneOf("order", List.of("listed", "any")).orElse("listed").equals("any")
                ? Order.ANY
                : Order.AS_LISTED,
            Values.map(from.openMap("outputs")),
            fault(from, "failure"),
            fault(from, "refused"));
    from.noOtherKeys();
    if (expectation.refused().isPresent() && from.keys().size() > 1) {
      from.error("refused", "contradiction", "what is refused has no other outcome", null);
    }
    return expectation;
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (Section each : from.sections("steps")) {
      boolean brief = each.keys().size() == 1 && !OF_A_STEP.containsAll(each.keys());
      Step one = brief ? brief(each) : full(each);
      step.accept(one.name());
      steps.add(one);
    }
    return steps;
  }

  /** {@code - make: succeeded}. */
  private static Step brief(Section each) {
    String name = each.keys().iterator().next();
    return new Step(
        name,
        each.oneOf(name, words(StepState.values())),
        Optional.empty(),
        Map.of(),
        Map.of(),
        Optional.empty());
  }

  private static Step full(Section each) {
    Step step =
        new Step(
            each.requiredString("name"),
            each.oneOf("status", words(StepState.values())),
            each.integer("attempts", 1, 1000).map(Long::intValue),
            Values.map(each.openMap("inputs")),
            Values.map(each.openMap("outputs")),
            fault(each, "error"));
    each.noOtherKeys();
    return step;
  }

  private static Optional<Fault> fault(Section from, String key) {
    return from.section(key)
        .map(
            f -> {
              Fault fault = new Fault(f.string("code"), f.string("message"));
              f.noOtherKeys();
              return fault;
            });
  }

  private static List<String> words(State[] states) {
    return Arrays.stream(states).map(State::text).toList();
  }
}
