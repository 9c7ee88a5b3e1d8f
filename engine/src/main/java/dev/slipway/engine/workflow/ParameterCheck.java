package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.Parameter.Type;
import dev.slipway.engine.workflow.Workflow.Secrecy;
import dev.slipway.gotemplate.regex.Regex;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Brings a value to the declared type without losing anything, and holds it to the constraints. */
record ParameterCheck(Parameter parameter, ParameterBinding.Words words) {
  private static final Map<String, Boolean> STRICT_BOOLEANS = Map.of("true", true, "false", false);
  private static final Map<String, Boolean> QUERY_BOOLEANS =
      Map.of(
          "true", true, "false", false, "yes", true, "no", false, "on", true, "off", false, "1",
          true, "0", false);

  /** What is wrong with a value. Never holds a value that may be secret. */
  record Problem(String code, String message, @Nullable String hint) {}

  Optional<Problem> problem(Object value) {
    return mismatch(value).or(() -> constraint(convert(value).orElseThrow()));
  }

  /** That the value cannot become one of the declared type. */
  Optional<Problem> mismatch(Object value) {
    return convert(value).isPresent()
        ? Optional.empty()
        : Optional.of(
            new Problem(
                "type-mismatch",
                "'" + parameter.name() + "' must be " + typeName() + ", found " + shown(value),
                hint(value)));
  }

  private @Nullable String hint(Object value) {
    return switch (parameter.type()) {
      case DURATION -> DurationText.FORMS;
      case STRING, SECRET -> value instanceof Double ? "Put it in quotes." : null;
      case ANY, NUMBER, INTEGER, BOOLEAN, OBJECT, ARRAY, ENUM -> null;
    };
  }

  /** The value in its declared type; empty when that would change it. */
  Optional<Object> convert(Object value) {
    return switch (parameter.type()) {
      case ANY -> Optional.of(value);
      case STRING, SECRET -> text(value);
      case NUMBER -> number(value).map(n -> n);
      case INTEGER -> number(value).flatMap(ExactNumber::whole).map(n -> n);
      case BOOLEAN -> bool(value).map(b -> b);
      case OBJECT -> Optional.of(unfolded(value)).filter(Map.class::isInstance);
      case ARRAY -> Optional.of(unfolded(value)).filter(List.class::isInstance);
      case ENUM -> Optional.of(allowed(value).orElse(value));
      case DURATION -> DurationText.parseValue(value).isPresent() ? text(value) : Optional.empty();
    };
  }

  /** A query string or a command line can only hold a map or a list as JSON text. */
  private Object unfolded(Object value) {
    if (words == ParameterBinding.Words.QUERY && value instanceof String text) {
      try {
        Object read = Json.read(text);
        return read == null ? value : read;
      } catch (IllegalArgumentException e) {
        return value;
      }
    }
    return value;
  }

  /** A double has lost how it was written (1.10), so it must be quoted where text is wanted. */
  private static Optional<Object> text(Object value) {
    return switch (value) {
      case String text -> Optional.of(text);
      case Long number -> Optional.of(number.toString());
      case BigInteger number -> Optional.of(number.toString());
      case Boolean bool -> Optional.of(bool.toString());
      default -> Optional.empty();
    };
  }

  private static Optional<Number> number(Object value) {
    return switch (value) {
      case Number number -> Optional.of(number);
      case String text -> ExactNumber.parse(text);
      default -> Optional.empty();
    };
  }

  private Optional<Boolean> bool(Object value) {
    Map<String, Boolean> known =
        words == ParameterBinding.Words.STRICT ? STRICT_BOOLEANS : QUERY_BOOLEANS;
    return switch (value) {
      case Boolean bool -> Optional.of(bool);
      case String text -> Optional.ofNullable(known.get(text));
      default -> Optional.empty();
    };
  }

  /** The allowed value that this one equals, in the type in which it was declared. */
  private Optional<Object> allowed(Object value) {
    return parameter.allowed().stream()
        .filter(each -> ValueComparison.equal(each, value))
        .findFirst();
  }

  private Optional<Problem> constraint(Object value) {
    if (!parameter.allowed().isEmpty() && allowed(value).isEmpty()) {
      String choices =
          parameter.allowed().stream().map(String::valueOf).collect(Collectors.joining(", "));
      return problem("not-allowed", shown(value) + " is not allowed", "Allowed: " + choices + ".");
    }
    String pattern = parameter.pattern();
    if (pattern != null && !Regex.compile(pattern).foundIn(String.valueOf(value))) {
      String description = parameter.description();
      return problem(
          "pattern-mismatch",
          shown(value) + " does not match " + pattern,
          description.isEmpty() ? null : description);
    }
    return parameter.min() == null && parameter.max() == null ? Optional.empty() : range(value);
  }

  /** Numbers by value, text by its characters, lists and maps by their entries. */
  private Optional<Problem> range(Object value) {
    Number size =
        switch (value) {
          case Number number -> number;
          case String text when parameter.type() == Type.DURATION ->
              BigDecimal.valueOf(DurationText.parse(text).orElseThrow().toMillis(), 3);
          case String text -> (long) text.codePointCount(0, text.length());
          case List<?> list -> (long) list.size();
          case Map<?, ?> map -> (long) map.size();
          default -> 0L;
        };
    Number min = parameter.min();
    Number max = parameter.max();
    if (min != null && ExactNumber.compare(size, min) < 0) {
      return problem("below-minimum", shown(value) + " " + compared(value, "less", min), null);
    }
    if (max != null && ExactNumber.compare(size, max) > 0) {
      return problem("above-maximum", shown(value) + " " + compared(value, "more", max), null);
    }
    return Optional.empty();
  }

  /** {@code has less than the minimum of 2 entries}, {@code is less than the minimum 5m}. */
  private String compared(Object value, String word, Number bound) {
    String limit = " than the " + (word.equals("less") ? "minimum" : "maximum");
    return switch (value) {
      case String _ when parameter.type() == Type.DURATION -> {
        long millis = new BigDecimal(bound.toString()).movePointRight(3).longValue();
        yield "is " + word + limit + " " + DurationText.print(Duration.ofMillis(millis));
      }
      case String _ -> "has " + word + limit + " of " + bound + " characters";
      case List<?> _, Map<?, ?> _ -> "has " + word + limit + " of " + bound + " entries";
      default -> "is " + word + limit + " " + bound;
    };
  }

  private Optional<Problem> problem(String code, String message, @Nullable String hint) {
    return Optional.of(new Problem(code, "'" + parameter.name() + "': " + message, hint));
  }

  private String typeName() {
    return switch (parameter.type()) {
      case ANY -> "a value";
      case STRING, SECRET -> "a string";
      case NUMBER -> "a number";
      case INTEGER -> "a whole number";
      case BOOLEAN -> "true or false";
      case OBJECT -> "a map";
      case ARRAY -> "a list";
      case ENUM -> "one of the allowed values";
      case DURATION -> "a duration";
    };
  }

  private String shown(Object value) {
    if (parameter.secrecy() == Secrecy.SECRET) {
      return "a secret value";
    }
    return switch (value) {
      case String text -> text.length() > 60 ? "a text" : "'" + text + "'";
      case Map<?, ?> _ -> "a map";
      case List<?> _ -> "a list";
      default -> value.toString();
    };
  }
}
