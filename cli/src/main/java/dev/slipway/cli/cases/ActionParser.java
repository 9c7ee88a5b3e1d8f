package dev.slipway.cli.cases;

import dev.slipway.cli.cases.TestCase.Action;
import dev.slipway.cli.cases.TestCase.Operation;
import dev.slipway.cli.cases.TestCase.Subject;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what a case does to its subject.
 *
 * @param steps of the provider, whose answers a case may record
 */
record ActionParser(Set<String> steps) {

  List<Action> actions(Section from, Subject subject) {
    if (!from.has("sequence")) {
      return List.of(action(from, single(from, subject)));
    }
    for (String key : List.of("operation", "params", "recorded", "expect")) {
      if (from.has(key)) {
        from.error(key, "contradiction", "with a sequence this is written in its actions", null);
      }
    }
    List<Action> actions = new ArrayList<>();
    for (Section each : from.requiredSections("sequence")) {
      Operation first = actions.isEmpty() ? Operation.CREATE : Operation.UPDATE;
      Operation operation = each.choice("operation", Operation.class, first);
      if (subject instanceof Subject.GoldenPath) {
        operation = Operation.RUN;
      } else if (actions.isEmpty() && operation != Operation.CREATE) {
        each.error(
            "operation", "invalid-value", "a sequence begins with 'create'", "Write it first.");
      }
      actions.add(action(each, operation));
      each.noOtherKeys();
    }
    return actions;
  }

  private static Operation single(Section from, Subject subject) {
    if (subject instanceof Subject.GoldenPath) {
      return Operation.RUN;
    }
    Operation operation = from.choice("operation", Operation.class, Operation.CREATE);
    if (operation != Operation.CREATE) {
      from.error(
          "operation",
          "invalid-value",
          "there is nothing yet that '"
              + operation.name().toLowerCase(Locale.ROOT)
              + "' could be"
              + " done to",
          "Write a sequence that begins with create.");
    }
    return operation;
  }

  private Action action(Section from, Operation operation) {
    return new Action(
        CaseFile.place(from),
        operation,
        Values.map(from.openMap("params")),
        recorded(from),
        from.section("expect")
            .map(e -> new ExpectationParser(e, name -> step(e, name)).parse())
            .orElse(Expectation.SUCCESS));
  }

  private Map<String, List<Map<String, Object>>> recorded(Section from) {
    Map<String, List<Map<String, Object>>> all = new LinkedHashMap<>();
    Optional<Section> recorded = from.section("recorded");
    if (recorded.isEmpty()) {
      return all;
    }
    for (String name : recorded.get().keys()) {
      CaseFile.known(recorded.get(), name, "step", name, steps);
      boolean attempts = recorded.get().value(name).orElse(null) instanceof List<?>;
      List<Section> answers =
          attempts
              ? recorded.get().sections(name)
              : recorded.get().section(name).map(List::of).orElse(List.of());
      all.put(name, answers.stream().map(ActionParser::answer).toList());
    }
    return all;
  }

  private static Map<String, Object> answer(Section from) {
    from.openMap("outputs");
    from.string("stdout");
    from.section("failure")
        .ifPresent(
            f -> {
              f.string("code");
              f.string("message");
              f.string("hint");
              f.bool("transient");
              f.noOtherKeys();
            });
    from.noOtherKeys();
    return Values.map(from.plain());
  }

  private void step(Section at, String name) {
    CaseFile.known(at, "steps", "step", name, steps);
  }
}
