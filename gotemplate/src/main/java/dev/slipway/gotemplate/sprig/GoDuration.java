package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.Kind;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A time.Duration: nanoseconds that print like 1h30m0s. */
record GoDuration(long nanoseconds) implements GoObject, JsonValue {
  static final GoType TYPE = GoType.basic(Kind.INT64, "time.Duration");
  static final long SECOND = 1_000_000_000L;
  static final long HOUR = 3600 * SECOND;

  private static final Pattern PART =
      Pattern.compile("([0-9]*+)(?:\\.([0-9]*+))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns",
          1L,
          "us",
          1000L,
          "\u00b5s",
          1000L,
          "\u03bcs",
          1000L,
          "ms",
          1_000_000L,
          "s",
          SECOND,
          "m",
          60 * SECOND,
          "h",
          HOUR);
  private static final Map<String, Member> MEMBERS =
      Map.of(
          "String", Member.method((self, call) -> self.text()),
          "Hours", Member.method((self, call) -> ((GoDuration) self).nanoseconds / 3.6e12),
          "Minutes", Member.method((self, call) -> ((GoDuration) self).nanoseconds / 6e10),
          "Seconds", Member.method((self, call) -> ((GoDuration) self).nanoseconds / 1e9),
          "Milliseconds",
              Member.method(
                  (self, call) -> GoInteger.int64(((GoDuration) self).nanoseconds / 1_000_000)),
          "Nanoseconds",
              Member.method((self, call) -> GoInteger.int64(((GoDuration) self).nanoseconds)));

  /** Reads Go's notation: 1h30m, -1.5s, 300ms. */
  static GoDuration parse(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String rest = signed ? text.substring(1) : text;
    if (rest.equals("0")) {
      return new GoDuration(0);
    }
    if (rest.isEmpty() || rest.length() > 200) {
      throw invalid(text);
    }
    BigDecimal sum = BigDecimal.ZERO;
    Matcher part = PART.matcher(rest);
    int at = 0;
    while (at < rest.length()) {
      part.region(at, rest.length());
      if (!part.lookingAt() || part.group(1).isEmpty() && isEmpty(part.group(2))) {
        throw invalid(text);
      }
      String fraction = isEmpty(part.group(2)) ? "0" : part.group(2);
      BigDecimal number = new BigDecimal("0" + part.group(1) + "." + fraction);
      BigDecimal unit = BigDecimal.valueOf(unit(part.group(3)));
      sum = sum.add(new BigDecimal(number.multiply(unit).toBigInteger()));
      at = part.end();
    }
    return new GoDuration(fitting(text, text.startsWith("-") ? sum.negate() : sum));
  }

  private static long unit(String name) {
    return Objects.requireNonNull(UNITS.get(name), "PART matches names of units only");
  }

  private static long fitting(String text, BigDecimal sum) {
    try {
      return sum.longValueExact();
    } catch (ArithmeticException e) {
      throw invalid(text);
    }
  }

  private static boolean isEmpty(String digits) {
    return digits == null || digits.isEmpty();
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException("time: invalid duration \"" + text + "\"");
  }

  GoDuration roundedToSecond() {
    long rest = nanoseconds % SECOND;
    long down = nanoseconds - rest;
    boolean up = Math.abs(rest) * 2 >= SECOND;
    if (!up) {
      return new GoDuration(down);
    }
    long rounded = down + (nanoseconds < 0 ? -SECOND : SECOND);
    boolean overflow = nanoseconds < 0 != rounded < 0;
    return new GoDuration(!overflow ? rounded : nanoseconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE);
  }

  @Override
  public String text() {
    if (nanoseconds == 0) {
      return "0s";
    }
    String sign = nanoseconds < 0 ? "-" : "";
    BigDecimal size = BigDecimal.valueOf(nanoseconds).abs();
    if (size.compareTo(BigDecimal.valueOf(SECOND)) < 0) {
      return sign + small(size);
    }
    long hours = Math.abs(nanoseconds / HOUR);
    long minutes = Math.abs(nanoseconds / (60 * SECOND) % 60);
    BigDecimal seconds = size.remainder(BigDecimal.valueOf(60 * SECOND)).movePointLeft(9);
    return sign
        + (hours > 0 ? hours + "h" : "")
        + (hours > 0 || minutes > 0 ? minutes + "m" : "")
        + plain(seconds)
        + "s";
  }

  private static String small(BigDecimal size) {
    if (size.compareTo(BigDecimal.valueOf(1000)) < 0) {
      return plain(size) + "ns";
    }
    return size.compareTo(BigDecimal.valueOf(1_000_000)) < 0
        ? plain(size.movePointLeft(3)) + "\u00b5s"
        : plain(size.movePointLeft(6)) + "ms";
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  @Override
  public String toString() {
    return text();
  }

  @Override
  public GoType type() {
    return TYPE;
  }

  @Override
  public Object underlying() {
    return GoInteger.int64(nanoseconds);
  }

  @Override
  public Object json() {
    return underlying();
  }

  @Override
  public Map<String, Member> members() {
    return MEMBERS;
  }
}
