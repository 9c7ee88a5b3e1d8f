package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Dict;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Functions;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What tenant templates may call: sprig without anything that gives another result on every render,
 * and a few functions of their own for row values, which are all text.
 */
public final class TenantFunctions {
  private static final Set<String> TRUE = Set.of("true", "1", "yes", "on", "t", "y");
  private static final Functions ALL = Sprig.pure().plus(Functions.of(own()));

  private TenantFunctions() {}

  public static Functions all() {
    return ALL;
  }

  private static List<Function> own() {
    return new FunctionGroup("Tenants")
        .add(
            "toHost",
            "(url string) string",
            "the host of a URL, or the text up to the first colon",
            c -> host(c.string(0)))
        .add(
            "trunc63",
            "(s string) string",
            "the first 63 bytes, never half a character",
            c -> short63(c.string(0)))
        .add(
            "fromJson",
            "(s string) any",
            "the value of JSON; an empty dict when it is none",
            c -> JsonFunctions.parsed(c, new Dict()))
        .add(
            "int",
            "(v any) int",
            "as an int; fractions are cut; 0 when it is no number",
            TenantFunctions::integer)
        .add(
            "float",
            "(v any) float64",
            "as a float64; 0 when it is no number",
            TenantFunctions::real)
        .add(
            "bool",
            "(v any) bool",
            "true for true, 1, yes, on, t, y and numbers but 0",
            c -> bool(c, c.any(0)))
        .all();
  }

  private static String host(String text) {
    try {
      String host = Url.parse(text).hostname();
      if (!host.isEmpty()) {
        return host;
      }
    } catch (IllegalArgumentException e) {
      return upToColon(text);
    }
    return upToColon(text);
  }

  private static String upToColon(String text) {
    int colon = text.indexOf(':');
    return colon < 0 ? text : text.substring(0, colon);
  }

  private static String short63(String text) {
    int end = 0;
    int bytes = 0;
    while (end < text.length()) {
      int next = text.offsetByCodePoints(end, 1);
      bytes += Text.length(text.substring(end, next));
      if (bytes > 63) {
        break;
      }
      end = next;
    }
    return text.substring(0, end);
  }

  private static Object integer(Call call) {
    return switch (call.any(0)) {
      case String text -> integer(call, text);
      case BigInteger number -> fitting(call, number);
      case GoInteger number -> fitting(call, new BigInteger(number.toString()));
      case Double number -> cut(call, number);
      case Float number -> cut(call, number);
      case BigDecimal number -> fitting(call, number.toBigInteger());
      case Number number -> number.longValue();
      case Boolean bool -> bool ? 1L : 0L;
      case null, default -> 0L;
    };
  }

  private static long integer(Call call, String text) {
    Optional<BigInteger> whole = GoNumbers.integer(text, 10);
    if (whole.isPresent()) {
      return fitting(call, whole.get());
    }
    return GoNumbers.real(text).map(number -> cut(call, number)).orElse(0L);
  }

  private static long cut(Call call, double number) {
    if (!Double.isFinite(number)) {
      throw call.fail("int: " + call.print(number) + " is no integer");
    }
    return fitting(call, new BigDecimal(number).toBigInteger());
  }

  private static long fitting(Call call, BigInteger number) {
    if (number.bitLength() > 63) {
      throw call.fail("int: the number does not fit into 64 bits");
    }
    return number.longValue();
  }

  private static Object real(Call call) {
    double number =
        call.any(0) instanceof String text
            ? GoNumbers.real(text).orElse(0.0)
            : Casting.real(call.any(0));
    if (!Double.isFinite(number)) {
      throw call.fail("float: " + call.print(number) + " is no finite number");
    }
    return number;
  }

  private static boolean bool(Call call, @Nullable Object value) {
    return switch (value) {
      case Boolean bool -> bool;
      case String text -> TRUE.contains(text.toLowerCase(Locale.ROOT));
      case GoInteger number -> number.value() != 0;
      case BigInteger number -> number.signum() != 0;
      case Number number -> number.doubleValue() != 0;
      case null, default -> false;
    };
  }
}
