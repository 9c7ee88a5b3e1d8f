package dev.slipway.gotemplate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Go type as templates can see it ({@code %T}, {@code typeOf}, parameters of functions).
 *
 * @param kind its kind
 * @param name Go's spelling, for example {@code map[string]interface {}}
 * @param element type of the elements of a slice or the values of a map; {@code null} otherwise
 */
public record GoType(Kind kind, String name, @Nullable GoType element) {
  public static final GoType ANY = basic(Kind.INTERFACE, "interface {}");
  public static final GoType BOOL = basic(Kind.BOOL, "bool");
  public static final GoType INT = basic(Kind.INT, "int");
  public static final GoType INT32 = basic(Kind.INT32, "int32");
  public static final GoType INT64 = basic(Kind.INT64, "int64");
  public static final GoType UINT8 = basic(Kind.UINT8, "uint8");
  public static final GoType FLOAT64 = basic(Kind.FLOAT64, "float64");
  public static final GoType STRING = basic(Kind.STRING, "string");

  /** {@code []interface {}}: the type of every plain {@link java.util.List}. */
  public static final GoType LIST = listOf(ANY);

  /** {@code map[string]interface {}}: the type of every plain {@link java.util.Map}. */
  public static final GoType MAP = mapOf(ANY);

  /** A type without elements. */
  public static GoType basic(Kind kind, String name) {
    return new GoType(kind, name, null);
  }

  /** {@code []element}. */
  public static GoType listOf(GoType element) {
    return new GoType(Kind.SLICE, "[]" + element.name, element);
  }

  /** {@code map[string]element}. */
  public static GoType mapOf(GoType element) {
    return new GoType(Kind.MAP, "map[string]" + element.name, element);
  }

  /**
   * The type of the elements of a slice or the values of a map.
   *
   * @throws NullPointerException for a type without elements
   */
  @Override
  public GoType element() {
    return Objects.requireNonNull(element, "only slices and maps have elements");
  }

  @Override
  public String toString() {
    return name;
  }
}
