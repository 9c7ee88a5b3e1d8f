package dev.slipway.web;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object in a request, read with type checks. */
public final class Fields {
  private final Map<String, Object> values;

  Fields(Map<String, Object> values) {
    this.values = values;
  }

  /** Refuses members that the operation does not know, naming all of them. */
  public Fields only(String... known) {
    Set<String> unknown = new TreeSet<>(values.keySet());
    unknown.removeAll(Set.of(known));
    if (!unknown.isEmpty()) {
      List<Problem.Fault> faults = new ArrayList<>();
      for (String name : unknown) {
        String hint = Nearest.hintOrList(name, List.of(known));
        faults.add(fault(name, "unknown-field", "there is no field '" + name + "' here", hint));
      }
      throw refuse(faults);
    }
    return this;
  }

  public Optional<String> text(String name) {
    return switch (values.get(name)) {
      case null -> Optional.empty();
      case String text -> Optional.of(text);
      default -> throw wrong(name, "a text");
    };
  }

  /** A required text. */
  public String requiredText(String name) {
    return text(name)
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> refuse(List.of(fault(name, "required", "the field is required", null))));
  }

  public Optional<Boolean> flag(String name) {
    return switch (values.get(name)) {
      case null -> Optional.empty();
      case Boolean flag -> Optional.of(flag);
      default -> throw wrong(name, "true or false");
    };
  }

  public Optional<Long> number(String name) {
    return switch (values.get(name)) {
      case null -> Optional.empty();
      case Long number -> Optional.of(number);
      default -> throw wrong(name, "a whole number");
    };
  }

  public Map<String, Object> object(String name) {
    return switch (values.get(name)) {
      case null -> Map.of();
      case Map<?, ?> map -> Values.map(map);
      default -> throw wrong(name, "an object");
    };
  }

  public Optional<List<Object>> list(String name) {
    return switch (values.get(name)) {
      case null -> Optional.empty();
      case List<?> list -> Optional.of(new ArrayList<>(list));
      default -> throw wrong(name, "a list");
    };
  }

  /** The members of one object in a list, with the same checks. */
  public static Fields of(String path, Object element) {
    if (element instanceof Map<?, ?> map) {
      return new Fields(new LinkedHashMap<>(Values.map(map)));
    }
    throw refuse(List.of(fault(path, "wrong-type", "must be an object", null)));
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** A problem about one field. */
  public static ProblemException wrongField(String name, String message) {
    return refuse(List.of(fault(name, "invalid", message, null)));
  }

  private static ProblemException wrong(String name, String expected) {
    return refuse(List.of(fault(name, "wrong-type", "must be " + expected, null)));
  }

  private static Problem.Fault fault(
      String path, String code, String message, @Nullable String hint) {
    return new Problem.Fault(code, path, null, null, message, hint);
  }

  private static ProblemException refuse(List<Problem.Fault> faults) {
    String first = faults.getFirst().path() + ": " + faults.getFirst().message();
    return Problem.unacceptable(
            faults.size() == 1 ? first : faults.size() + " errors, the first: " + first, faults)
        .exception();
  }
}
