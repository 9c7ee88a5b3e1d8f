package dev.slipway.gotemplate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that templates know. Everything else is refused when a template reaches it; nothing is
 * ever called by reflection except the components of records.
 *
 * <table>
 * <caption>Java type and Go type</caption>
 * <tr><td>{@code null}</td><td>nil</td></tr>
 * <tr><td>{@link Boolean}</td><td>bool</td></tr>
 * <tr><td>{@link String}</td><td>string, see {@link Text} for bytes</td></tr>
 * <tr><td>{@link Long}, {@link Integer}, {@link Short}, {@link Byte}</td><td>int</td></tr>
 * <tr><td>{@link GoInteger}</td><td>the other integer kinds, int64 above all</td></tr>
 * <tr><td>{@link BigInteger}</td><td>*big.Int; compares exactly with all integers</td></tr>
 * <tr><td>{@link Double}, {@link BigDecimal}</td><td>float64</td></tr>
 * <tr><td>{@link Float}</td><td>float32</td></tr>
 * <tr><td>{@link List}</td><td>[]interface {}</td></tr>
 * <tr><td>{@link TypedList}</td><td>[]string, []int, …</td></tr>
 * <tr><td>{@link Map} with string keys</td><td>map[string]interface {}, always in key order</td></tr>
 * <tr><td>{@link TypedMap}</td><td>map[string]string, …</td></tr>
 * <tr><td>{@link Record}</td><td>struct; {@code .Name} and {@code .name} both read a component
 * {@code name}</td></tr>
 * <tr><td>{@link GoObject}</td><td>types with methods: time.Time, *semver.Version, …</td></tr>
 * <tr><td>{@link Function}</td><td>func, for {@code call}</td></tr>
 * </table>
 */
public final class Values {
  private static final GoType BIG = GoType.basic(Kind.PTR, "*big.Int");
  private static final GoType FLOAT32 = GoType.basic(Kind.FLOAT32, "float32");
  private static final GoType NIL = GoType.basic(Kind.INVALID, "<nil>");

  private Values() {}

  /** Go's kind of a value. */
  public static Kind kind(@Nullable Object value) {
    return type(value).kind();
  }

  /** Go's type of a value; nil has the kind invalid. */
  public static GoType type(@Nullable Object value) {
    return switch (value) {
      case null -> NIL;
      case String _ -> GoType.STRING;
      case Long _, Integer _, Short _, Byte _ -> GoType.INT;
      case Double _, BigDecimal _ -> GoType.FLOAT64;
      case Boolean _ -> GoType.BOOL;
      case TypedMap map -> map.type();
      case Map<?, ?> _ -> GoType.MAP;
      case TypedList list -> list.type();
      case List<?> _ -> GoType.LIST;
      case GoInteger integer -> GoType.basic(integer.kind(), integer.kind().toString());
      case Float _ -> FLOAT32;
      case BigInteger _ -> BIG;
      case GoObject object -> object.type();
      case Function function ->
          GoType.basic(
              Kind.FUNC, "func" + function.signature().text().replace("any", "interface {}"));
      case Record struct -> GoType.basic(Kind.STRUCT, "main." + struct.getClass().getSimpleName());
      default -> throw unsupported(value);
    };
  }

  /** Go's truth: false for nil, false, zero, and what is empty. */
  public static boolean truth(@Nullable Object value) {
    return switch (value) {
      case null -> false;
      case Boolean bool -> bool;
      case String text -> !text.isEmpty();
      case Long number -> number != 0;
      case Map<?, ?> map -> !map.isEmpty();
      case List<?> list -> !list.isEmpty();
      case Double number -> number != 0;
      case GoInteger number -> number.value() != 0;
      case BigDecimal number -> number.signum() != 0;
      case BigInteger _ -> true;
      case Number number -> number.doubleValue() != 0;
      case GoObject object -> object.underlying() == object || truth(object.underlying());
      case Function _ -> true;
      case Record _ -> true;
      default -> throw unsupported(value);
    };
  }

  /** The keys of a map in Go's order. */
  public static List<String> sortedKeys(Map<?, ?> map) {
    List<String> keys = new ArrayList<>(map.size());
    for (Object key : map.keySet()) {
      if (!(key instanceof String text)) {
        throw new IllegalArgumentException("a map with keys that are not strings");
      }
      keys.add(text);
    }
    keys.sort(Text.ORDER);
    return keys;
  }

  /**
   * The value as templates handle it: small integers become {@link Long}, decimals {@link Double}.
   *
   * @throws IllegalArgumentException for a type that templates do not know
   */
  public static @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String _, Long _, Boolean _, Double _, Map<?, ?> _, List<?> _ -> value;
      case Integer _, Short _, Byte _ -> ((Number) value).longValue();
      case BigDecimal number -> number.doubleValue();
      case Float _, BigInteger _, Record _, GoObject _ -> value;
      default -> throw unsupported(value);
    };
  }

  /** Go's zero value of a type. */
  static @Nullable Object zero(GoType type) {
    return switch (type.kind()) {
      case STRING -> "";
      case BOOL -> false;
      case INT -> 0L;
      case FLOAT64 -> 0.0;
      case FLOAT32 -> 0.0f;
      case INT8, INT16, INT32, INT64, UINT, UINT8, UINT16, UINT32, UINT64 ->
          new GoInteger(type.kind(), 0);
      case INVALID, SLICE, MAP, STRUCT, PTR, FUNC, INTERFACE -> null;
    };
  }

  static IllegalArgumentException unsupported(Object value) {
    return new IllegalArgumentException(
        "a value of type " + value.getClass().getSimpleName() + " is not available to templates");
  }
}
