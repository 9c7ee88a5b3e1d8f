package dev.slipway.gotemplate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Parameters and result of a function, read from Go-like text.
 *
 * @param text as written
 * @param parameters types of the parameters; the last one is the element type if variadic
 * @param variadic whether the last parameter takes any number of arguments
 */
public record Signature(String text, List<GoType> parameters, boolean variadic) {
  private static final Map<String, GoType> TYPES =
      Map.ofEntries(
          Map.entry("any", GoType.ANY),
          Map.entry("bool", GoType.BOOL),
          Map.entry("int", GoType.INT),
          Map.entry("int32", GoType.INT32),
          Map.entry("rune", GoType.INT32),
          Map.entry("int64", GoType.INT64),
          Map.entry("float64", GoType.FLOAT64),
          Map.entry("string", GoType.STRING),
          Map.entry("func", GoType.basic(Kind.FUNC, "func")));

  public Signature {
    parameters = List.copyOf(parameters);
  }

  /** Reads {@code (name type, name ...type) result}. */
  public static Signature of(String text) {
    int close = text.indexOf(')');
    if (!text.startsWith("(") || close < 0) {
      throw new IllegalArgumentException("not a signature: " + text);
    }
    List<GoType> types = new ArrayList<>();
    boolean variadic = false;
    String inside = text.substring(1, close).strip();
    for (String parameter : inside.isEmpty() ? new String[0] : inside.split(",")) {
      String type = parameter.strip();
      type = type.substring(type.indexOf(' ') + 1).strip();
      variadic = type.startsWith("...");
      types.add(type(variadic ? type.substring(3) : type));
    }
    return new Signature(text, types, variadic);
  }

  /** Names that are not basic types are those of {@link GoObject}s, for example time.Time. */
  private static GoType type(String name) {
    if (name.startsWith("[]")) {
      return GoType.listOf(type(name.substring(2)));
    }
    if (name.startsWith("map[string]")) {
      return GoType.mapOf(type(name.substring(11)));
    }
    GoType known = TYPES.get(name);
    if (known != null) {
      return known;
    }
    return GoType.basic(name.startsWith("*") ? Kind.PTR : Kind.STRUCT, name);
  }

  @Override
  public String toString() {
    return text;
  }
}
