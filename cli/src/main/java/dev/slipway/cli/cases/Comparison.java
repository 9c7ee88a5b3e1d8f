package dev.slipway.cli.cases;

import dev.slipway.cli.cases.Expectation.Fault;
import dev.slipway.cli.cases.Expectation.Order;
import dev.slipway.cli.cases.TestCase.Action;
import dev.slipway.cli.cases.TestCase.Operation;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares what an action came to with what was expected of it. */
public final class Comparison {
  private final Action action;
  private final Expectation expect;
  private final Observed observed;
  private final List<Difference> found = new ArrayList<>();

  private Comparison(Action action, Observed observed) {
    this.action = action;
    this.expect = action.expect();
    this.observed = observed;
  }

  /** Everything that differs. */
  public static List<Difference> of(Action action, Observed observed) {
    return new Comparison(action, observed).differences();
  }

  private List<Difference> differences() {
    if (expect.refused().isPresent() || !observed.problems().isEmpty()) {
      refused();
      return found;
    }
    wantedState().ifPresent(state -> text("state", state, stateWithReason(state)));
    expect.run().ifPresent(run -> text("run", run, observed.status()));
    expect
        .workflow()
        .ifPresent(w -> text("workflow", w, String.valueOf(observed.run().get("workflow"))));
    expect.steps().ifPresent(this::steps);
    found.addAll(Difference.between("outputs", expect.outputs(), observed.outputs()));
    expect.failure().ifPresent(fault -> fault("failure", fault, observed.error()));
    return found;
  }

  private void refused() {
    if (expect.refused().isEmpty()) {
      found.add(new Difference("refused", "(it is accepted)", words(observed.problems())));
    } else if (observed.problems().isEmpty()) {
      found.add(new Difference("refused", words(expect.refused().get()), "(it was accepted)"));
    } else if (observed.problems().stream().noneMatch(p -> fits(expect.refused().get(), p))) {
      found.add(
          new Difference("refused", words(expect.refused().get()), words(observed.problems())));
    }
  }

  /** The state that was asked for, else the one that such an action ends in. */
  private Optional<String> wantedState() {
    if (expect.state().isPresent() || action.operation() == Operation.RUN) {
      return expect.state();
    }
    if (expect.failure().isPresent()) {
      return Optional.empty();
    }
    if (expect.run().isPresent() && !expect.run().get().equals("succeeded")) {
      return Optional.empty();
    }
    return Optional.of(action.operation() == Operation.DELETE ? "deleted" : "active");
  }

  private String stateWithReason(String wanted) {
    Object why = observed.error().get("message");
    return observed.state().equals(wanted) || why == null
        ? observed.state()
        : observed.state() + ", because: " + why;
  }

  private void steps(List<Expectation.Step> wanted) {
    List<Map<String, Object>> real = observed.steps();
    List<String> names = wanted.stream().map(Expectation.Step::name).toList();
    List<String> begun = real.stream().map(s -> String.valueOf(s.get("name"))).toList();
    boolean same =
        expect.order() == Order.ANY
            ? names.stream().sorted().toList().equals(begun.stream().sorted().toList())
            : names.equals(begun);
    if (!same) {
      found.add(new Difference("steps", String.join(", ", names), String.join(", ", begun)));
    }
    for (Expectation.Step step : wanted) {
      real.stream()
          .filter(s -> step.name().equals(s.get("name")))
          .findFirst()
          .ifPresent(s -> step(step, s));
    }
  }

  private void step(Expectation.Step wanted, Map<String, Object> real) {
    String where = "steps." + wanted.name();
    Map<String, Object> error = Values.map(real.getOrDefault("error", Map.of()));
    wanted
        .status()
        .ifPresent(
            status -> {
              String is = String.valueOf(real.get("status"));
              Object why = error.get("message");
              text(where, status, is.equals(status) || why == null ? is : is + ", because: " + why);
            });
    wanted
        .attempts()
        .ifPresent(
            n -> text(where + ".attempts", n.toString(), String.valueOf(real.get("attempt"))));
    found.addAll(
        Difference.between(where + ".inputs", wanted.inputs(), observed.inputs(wanted.name())));
    found.addAll(
        Difference.between(
            where + ".outputs",
            wanted.outputs(),
            Values.map(real.getOrDefault("outputs", Map.of()))));
    wanted.error().ifPresent(fault -> fault(where + ".error", fault, error));
  }

  private void fault(String where, Fault fault, Map<String, Object> real) {
    if (!fits(fault, real)) {
      found.add(
          new Difference(
              where, words(fault), real.isEmpty() ? "(no failure)" : words(List.of(real))));
    }
  }

  private static boolean fits(Fault fault, Map<String, Object> real) {
    return fault.code().stream().allMatch(code -> code.equals(real.get("code")))
        && fault.message().stream()
            .allMatch(part -> String.valueOf(real.get("message")).contains(part));
  }

  private static String words(Fault fault) {
    return fault.code().orElse("any code") + fault.message().map(m -> ": …" + m + "…").orElse("");
  }

  private static String words(List<Map<String, Object>> problems) {
    return problems.stream()
        .map(p -> p.get("code") + ": " + p.get("message"))
        .collect(Collectors.joining("\n"));
  }

  private void text(String where, String expected, String actual) {
    if (!expected.equals(actual)) {
      found.add(new Difference(where, expected, actual.isEmpty() ? "(nothing)" : actual));
    }
  }
}
