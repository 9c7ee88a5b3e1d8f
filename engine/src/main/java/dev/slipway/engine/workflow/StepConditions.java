package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.Step.Condition;
import dev.slipway.engine.workflow.Step.Condition.Expect;
import dev.slipway.engine.workflow.Step.When;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** When a step runs: the order of its conditions is that of the file. */
final class StepConditions {
  private static final Map<String, When> WHEN =
      Map.of(
          "always", When.ALWAYS,
          "on_success", When.ON_SUCCESS,
          "on_failure", When.ON_FAILURE,
          "manual", When.MANUAL);

  private StepConditions() {}

  static When when(Section section, List<Condition> conditions) {
    Optional<String> written = section.text("when");
    String word = written.orElse("on_success").strip().replace('-', '_');
    When when = WHEN.get(word);
    if (when == null) {
      new ConditionText(section, "when").check();
      conditions.add(new Condition(written.orElseThrow(), Expect.TRUE));
    }
    return when == null ? When.ON_SUCCESS : when;
  }

  static void conditions(Section section, Optional<StepType> type, List<Condition> conditions) {
    String ifKey = LegacyForms.ifKey(section, type);
    condition(section, ifKey, Expect.TRUE).ifPresent(conditions::add);
    condition(section, "unless", Expect.FALSE).ifPresent(conditions::add);
  }

  private static Optional<Condition> condition(Section section, String key, Expect expect) {
    Optional<String> source = section.text(key);
    source.ifPresent(_ -> new ConditionText(section, key).check());
    return source.map(text -> new Condition(text, expect));
  }
}
