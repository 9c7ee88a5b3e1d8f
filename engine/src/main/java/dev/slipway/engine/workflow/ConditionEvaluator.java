package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.Expression.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says whether an expression holds with the values of one scope. */
record ConditionEvaluator(Scope scope) {
  /** Texts that are truth values in some languages only. */
  private static final Set<String> UNCLEAR = Set.of("0", "1", "yes", "no", "on", "off");

  boolean of(Expression expression) {
    return switch (expression) {
      case Expression.Or or -> or.parts().stream().anyMatch(this::of);
      case Expression.And and -> and.parts().stream().allMatch(this::of);
      case Expression.Not not -> !of(not.part());
      case Expression.Truth truth -> truth(value(truth.value()));
      case Expression.Ended ended -> ended(ended);
      case Expression.Comparison comparison ->
          ValueComparison.holds(
              value(comparison.left()), comparison.operator(), value(comparison.right()));
    };
  }

  private boolean ended(Expression.Ended ended) {
    StepOutcome outcome = scope.steps().get(ended.step());
    if (outcome == null) {
      throw new RenderingException(
          "'"
              + ended.step()
              + "."
              + ended.ending().word()
              + "': there is no finished step of that name",
          null);
    }
    return outcome.is(ended.ending());
  }

  private @Nullable Object value(Operand operand) {
    return switch (operand) {
      case Operand.Literal literal -> literal.value();
      case Operand.Hole hole -> hole.placeholder().resolve(scope);
      case Operand.Template template -> TextTemplate.of(template.source()).value(scope);
      case Operand.Word word -> word(word.text());
      case Operand.Choices choices -> {
        List<Object> items = new ArrayList<>();
        choices.items().forEach(item -> items.add(value(item)));
        yield items;
      }
    };
  }

  /** {@code step.output} when there is such a step, else just text. */
  private @Nullable Object word(String text) {
    int dot = text.indexOf('.');
    boolean output = dot > 0 && scope.steps().containsKey(text.substring(0, dot));
    return output ? new Placeholder.Chain(List.of(text.split("\\."))).resolve(scope) : text;
  }

  private static boolean truth(@Nullable Object value) {
    return switch (value) {
      case null -> false;
      case Boolean bool -> bool;
      case Number number -> ExactNumber.compare(number, 0L) != 0;
      case String text -> truth(text);
      case List<?> list -> !list.isEmpty();
      case Map<?, ?> map -> !map.isEmpty();
      default -> throw new RenderingException("this value is neither true nor false", null);
    };
  }

  private static boolean truth(String text) {
    if (UNCLEAR.contains(text)) {
      throw new RenderingException(
          "the text '" + text + "' is neither true nor false", "Compare it: == \"" + text + "\".");
    }
    return !text.isEmpty() && !text.equals("false");
  }
}
