package dev.slipway.engine.workflow;

import dev.slipway.engine.grammar.Field;
import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a step's executor gets: the fields of {@code config} and those written beside it, held
 * against what the executor says it takes.
 */
record ConfigParser(Section step, Optional<StepType> type) {
  /** A field of this name means the step's own, unless it stands below {@code config}. */
  static final Set<String> OF_THE_STEP =
      StepForms.STEP.fields().stream()
          .filter(field -> field.support() == Field.Support.CURRENT)
          .map(Field::name)
          .collect(Collectors.toUnmodifiableSet());

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
    type.get().choices().forEach(choice -> count(choice, values));
    config.ifPresent(Section::noOtherKeys);
    return values;
  }

  private void count(StepType.Choice choice, Map<String, Object> values) {
    List<String> written = choice.names().stream().filter(values::containsKey).toList();
    if (written.isEmpty() && choice.count() != StepType.Count.AT_MOST_ONE) {
      String who = "a step of type " + type.orElseThrow().name();
      step.error("missing-field", who + " needs " + quoted(choice.names(), " or "), null);
    } else if (written.size() > 1 && choice.count() != StepType.Count.AT_LEAST_ONE) {
      step.error(
          "contradiction",
          quoted(written, " and ") + " cannot be written together",
          "Keep one of them.");
    }
  }

  private static String quoted(List<String> names, String last) {
    List<String> quoted = names.stream().map(name -> "'" + name + "'").toList();
    int end = quoted.size() - 1;
    return end == 0
        ? quoted.getFirst()
        : String.join(", ", quoted.subList(0, end)) + last + quoted.get(end);
  }

  /** A field as written: in which map, by which of its names. */
  record Written(Section where, String key, Located value) {}

  /** Every place of the step where the field is written; more than one is a mistake. */
  static List<Written> written(Section step, Optional<Section> config, StepType.Field field) {
    List<Written> found = new ArrayList<>();
    for (String key : field.names()) {
      config
          .flatMap(c -> c.located(key).map(value -> new Written(c, key, value)))
          .ifPresent(found::add);
      if (!OF_THE_STEP.contains(key)) {
        step.located(key).map(value -> new Written(step, key, value)).ifPresent(found::add);
      }
    }
    return found;
  }

  private Optional<Object> value(StepType.Field field, Optional<Section> config) {
    List<Written> written = written(step, config, field);
    if (written.isEmpty() && field.need() == StepType.Need.REQUIRED) {
      step.error(
          "missing-field",
          "a step of type " + type.orElseThrow().name() + " needs '" + field.name() + "'",
          sentence(field.description()));
    }
    if (written.stream().map(w -> w.value().plain()).distinct().count() > 1) {
      contradiction(written.get(1), written.get(0));
    }
    written.forEach(w -> check(w, field));
    return written.stream().findFirst().map(w -> plain(field.kind(), w.value()));
  }

  private void contradiction(Written here, Written there) {
    String other =
        there.key().equals(here.key())
            ? "below 'config'"
            : "as '" + there.key() + "', which means the same";
    here.where()
        .error(
            here.key(),
            "contradiction",
            "'" + here.key() + "' is written here and " + other + ", with different values",
            "Remove one of them.");
  }

  /** Text stays as it was written: {@code 1.10} is not 1.1. */
  private static Object plain(StepType.Kind kind, Located value) {
    boolean text = kind == StepType.Kind.TEXT || kind == StepType.Kind.CONDITION;
    return text && value instanceof Located.Scalar scalar
        ? scalar.text()
        : Objects.requireNonNull(value.plain());
  }

  private static void check(Written written, StepType.Field field) {
    String expected = ConfigKind.expected(field.kind(), written.value());
    if (expected != null) {
      written
          .where()
          .error(
              written.key(),
              "wrong-type",
              "expected " + expected + ", found " + written.value().kind(),
              field.kind() == StepType.Kind.DURATION ? DurationText.FORMS : null);
    } else if (field.kind() == StepType.Kind.CONDITION) {
      new ConditionText(written.where(), written.key()).check();
    } else if (!field.choices().isEmpty()
        && written.value() instanceof Located.Scalar scalar
        && !TemplateScan.hasTemplate(scalar.text())) {
      choice(written, field, scalar.text());
    }
  }

  private static void choice(Written written, StepType.Field field, String value) {
    String reason = field.refused().get(value);
    if (reason != null) {
      written
          .where()
          .error(
              written.key(),
              "invalid-value",
              "'" + value + "' cannot be used: " + reason,
              "Write one of: " + String.join(", ", field.choices()) + ".");
    } else if (!field.choices().contains(value)) {
      written.where().oneOf(written.key(), field.choices());
    }
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
    type.fields().forEach(f -> f.names().forEach(name -> kinds.put(name, f.kind())));
    return kinds;
  }
}
