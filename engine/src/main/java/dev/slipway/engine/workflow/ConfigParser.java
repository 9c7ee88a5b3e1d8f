package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Section;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a step's executor gets: the fields of {@code config} and those written beside it, held
 * against what the executor says it takes.
 */
final class ConfigParser {
  /** A field of this name means the step's own, unless it stands below {@code config}. */
  static final Set<String> OF_THE_STEP =
      Set.of(
          "name",
          "type",
          "config",
          "when",
          "if",
          "unless",
          "parallel",
          "parallelGroup",
          "dependsOn",
          "timeout",
          "retry",
          "env",
          "outputs",
          "outputFile",
          "capture",
          "setVariables",
          "onError",
          "compensate",
          "workflow",
          "parameters",
          "description");

  private final Section step;
  private final Optional<StepType> type;

  ConfigParser(Section step, Optional<StepType> type) {
    this.step = step;
    this.type = type;
  }

  Map<String, Object> config() {
    Optional<Section> config = step.section("config");
    if (type.isEmpty()) {
      // What is beside config cannot be judged without a type; it is not worth a second error.
      step.keys().forEach(step::ignoring);
      return Map.of();
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (StepType.Field field : type.get().fields()) {
      value(field, config).ifPresent(value -> values.put(field.name(), value));
    }
    config.ifPresent(Section::noOtherKeys);
    return values;
  }

  private Optional<Object> value(StepType.Field field, Optional<Section> config) {
    Optional<Located> inside = config.flatMap(section -> section.located(field.name()));
    Optional<Located> beside =
        OF_THE_STEP.contains(field.name()) ? Optional.empty() : step.located(field.name());
    if (inside.isPresent()
        && beside.isPresent()
        && !Objects.equals(inside.get().plain(), beside.get().plain())) {
      step.error(
          field.name(),
          "contradiction",
          "'" + field.name() + "' is written here and below 'config', with different values",
          "Remove one of them.");
    }
    Optional<Located> value = inside.or(() -> beside);
    Section where = inside.isPresent() ? config.orElseThrow() : step;
    if (value.isEmpty() && field.need() == StepType.Need.REQUIRED) {
      step.error(
          "missing-field",
          "a step of type " + type.orElseThrow().name() + " needs '" + field.name() + "'",
          sentence(field.description()));
    }
    value.ifPresent(v -> check(where, field, v));
    return value.map(located -> plain(field.kind(), located));
  }

  /** Text stays as it was written: {@code 1.10} is not 1.1. */
  private static Object plain(StepType.Kind kind, Located value) {
    boolean text = kind == StepType.Kind.TEXT || kind == StepType.Kind.CONDITION;
    return text && value instanceof Located.Scalar scalar
        ? scalar.text()
        : Objects.requireNonNull(value.plain());
  }

  private static void check(Section where, StepType.Field field, Located value) {
    String expected = expected(field.kind(), value);
    if (expected != null) {
      where.error(
          field.name(),
          "wrong-type",
          "expected " + expected + ", found " + value.kind(),
          field.kind() == StepType.Kind.DURATION ? DurationText.FORMS : null);
    } else if (field.kind() == StepType.Kind.CONDITION) {
      new ConditionText(where, field.name()).check();
    }
  }

  /** What should stand there instead; null when all is well. A template may become anything. */
  private static @Nullable String expected(StepType.Kind kind, Located value) {
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

  private static boolean isTexts(@Nullable Object plain) {
    return plain instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
  }

  private static @Nullable String sentence(String description) {
    return description.isEmpty()
        ? null
        : Character.toUpperCase(description.charAt(0)) + description.substring(1) + ".";
  }

  /** Whether a field of this name is the executor's. */
  static boolean takes(Optional<StepType> type, String name) {
    return type.isPresent() && kinds(type.get()).containsKey(name);
  }

  /** The executor's kinds by field, for those who render. */
  static Map<String, StepType.Kind> kinds(StepType type) {
    Map<String, StepType.Kind> kinds = new HashMap<>();
    type.fields().forEach(field -> kinds.put(field.name(), field.kind()));
    return kinds;
  }
}
