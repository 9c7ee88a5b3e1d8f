package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.Expression.Operand;
import dev.slipway.engine.workflow.Expression.Operator;
import dev.slipway.gotemplate.regex.Regex;
import dev.slipway.gotemplate.regex.RegexSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says whether an expression holds with the values of one scope. */
final class ConditionEvaluator {
  /** Texts that are truth values in some languages only. */
  private static final Set<String> UNCLEAR = Set.of("0", "1", "yes", "no", "on", "off");

  private final Scope scope;

  ConditionEvaluator(Scope scope) {
    this.scope = scope;
  }

  boolean of(Expression expression) {
    return switch (expression) {
      case Expression.Or or -> or.parts().stream().anyMatch(this::of);
      case Expression.And and -> and.parts().stream().allMatch(this::of);
      case Expression.Not not -> !of(not.part());
      case Expression.Truth truth -> truth(value(truth.value()));
      case Expression.Ended ended -> ended(ended);
      case Expression.Comparison comparison ->
          compare(value(comparison.left()), comparison.operator(), value(comparison.right()));
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

  private static boolean compare(@Nullable Object a, Operator operator, @Nullable Object b) {
    return switch (operator) {
      case EQUAL -> equal(a, b);
      case DIFFERENT -> !equal(a, b);
      case LESS -> order(a, operator, b) < 0;
      case AT_MOST -> order(a, operator, b) <= 0;
      case GREATER -> order(a, operator, b) > 0;
      case AT_LEAST -> order(a, operator, b) >= 0;
      case CONTAINS -> contains(a, operator, b);
      case IN -> contains(b, operator, a);
      case STARTS_WITH -> a != null && text(a, operator).startsWith(text(b, operator));
      case ENDS_WITH -> a != null && text(a, operator).endsWith(text(b, operator));
      case MATCHES -> a != null && pattern(text(b, operator)).foundIn(text(a, operator));
    };
  }

  /** Equality across the types that YAML, JSON and the output of programs mix up. */
  static boolean equal(@Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      Object other = a == null ? b : a;
      return other == null || other.equals("") || other.equals(false);
    }
    if (a instanceof Number x && b instanceof Number y) {
      return ExactNumber.compare(x, y) == 0;
    }
    if (a instanceof Number x && b instanceof String text) {
      return says(text, x);
    }
    if (b instanceof Number y && a instanceof String text) {
      return says(text, y);
    }
    if (a instanceof Boolean && b instanceof String
        || b instanceof Boolean && a instanceof String) {
      return a.toString().equals(b.toString());
    }
    if (a instanceof List<?> x && b instanceof List<?> y) {
      return x.size() == y.size() && equalItems(x, y);
    }
    if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
      return x.keySet().equals(y.keySet())
          && x.keySet().stream().allMatch(key -> equal(x.get(key), y.get(key)));
    }
    return a.equals(b);
  }

  private static boolean says(String text, Number number) {
    return ExactNumber.parse(text).filter(n -> ExactNumber.compare(n, number) == 0).isPresent();
  }

  private static boolean equalItems(List<?> x, List<?> y) {
    for (int i = 0; i < x.size(); i++) {
      if (!equal(x.get(i), y.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static int order(@Nullable Object a, Operator operator, @Nullable Object b) {
    return ExactNumber.compare(number(a, operator), number(b, operator));
  }

  private static Number number(@Nullable Object value, Operator operator) {
    Optional<Number> number =
        switch (value) {
          case Number n -> Optional.of(n);
          case String text -> ExactNumber.parse(text.strip());
          case null, default -> Optional.empty();
        };
    return number.orElseThrow(
        () ->
            new RenderingException(
                "'" + operator.written() + "' compares numbers, and " + kind(value) + " is none",
                null));
  }

  private static boolean contains(@Nullable Object all, Operator operator, @Nullable Object one) {
    return switch (all) {
      case null -> false;
      case String text -> text.contains(text(one, operator));
      case List<?> list -> list.stream().anyMatch(item -> equal(item, one));
      case Map<?, ?> map -> map.containsKey(one);
      default ->
          throw new RenderingException(
              "'"
                  + operator.written()
                  + "' looks into text, a list or a map, not into "
                  + kind(all),
              null);
    };
  }

  private static String text(@Nullable Object value, Operator operator) {
    return switch (value) {
      case String text -> text;
      case Number number -> number.toString();
      case Boolean bool -> bool.toString();
      case null, default ->
          throw new RenderingException(
              "'" + operator.written() + "' compares text, and " + kind(value) + " is none", null);
    };
  }

  private static Regex pattern(String pattern) {
    try {
      return Regex.compile(pattern);
    } catch (RegexSyntaxException e) {
      throw new RenderingException("not a regular expression: " + e.getMessage(), null);
    }
  }

  private static String kind(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String _ -> "text";
      case Number _ -> "a number";
      case Boolean _ -> "a boolean";
      case List<?> _ -> "a list";
      default -> "a map";
    };
  }
}
