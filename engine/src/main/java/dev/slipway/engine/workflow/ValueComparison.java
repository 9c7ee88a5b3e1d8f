package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.Expression.Operator;
import dev.slipway.gotemplate.regex.Regex;
import dev.slipway.gotemplate.regex.RegexSyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares values across the types that YAML, JSON and the output of programs mix up. */
final class ValueComparison {
  private ValueComparison() {}

  static boolean holds(@Nullable Object a, Operator operator, @Nullable Object b) {
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
