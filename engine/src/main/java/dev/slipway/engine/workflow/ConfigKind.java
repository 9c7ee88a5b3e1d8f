package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.intake.Located;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What kind of value a field of a config takes. */
final class ConfigKind {
  private ConfigKind() {}

  /** What should stand there instead; null when all is well. A template may become anything. */
  static @Nullable String expected(StepType.Kind kind, Located value) {
    Object plain = value.plain();
    boolean template = plain instanceof String text && TemplateScan.hasTemplate(text);
    return switch (kind) {
      case VALUE -> null;
      case TEXT -> value instanceof Located.Scalar ? null : "text";
      case NUMBER -> template || isNumber(plain) ? null : "a number";
      case BOOLEAN -> template || isBoolean(plain) ? null : "true or false";
      case DURATION -> template || DurationText.parseValue(plain).isPresent() ? null : "a duration";
      case LIST -> template || plain instanceof List<?> ? null : "a list";
      case MAP -> template || plain instanceof Map<?, ?> ? null : "a map";
      case SCRIPT -> plain instanceof String ? null : "a script";
      case SQL -> plain instanceof String || isTexts(plain) ? null : "SQL text, or a list of it";
      case MANIFEST ->
          plain instanceof String || plain instanceof Map<?, ?> || isMaps(plain)
              ? null
              : "YAML documents, a map, or a list of maps";
      case CONDITION -> value instanceof Located.Scalar ? null : "a condition";
    };
  }

  private static boolean isNumber(@Nullable Object plain) {
    return plain instanceof Number
        || plain instanceof String text && ExactNumber.parse(text).isPresent();
  }

  private static boolean isBoolean(@Nullable Object plain) {
    return plain instanceof Boolean || "true".equals(plain) || "false".equals(plain);
  }

  private static boolean isMaps(@Nullable Object plain) {
    return plain instanceof List<?> list && list.stream().allMatch(Map.class::isInstance);
  }

  private static boolean isTexts(@Nullable Object plain) {
    return plain instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
  }
}
