package dev.slipway.kubernetes.lua;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.Varargs;

/** Function {@code format}. Width and precision have at most two digits, as in Lua. */
final class StringFormat {
  private static final java.util.regex.Pattern DIRECTIVE =
      java.util.regex.Pattern.compile("%([-+ #0]{0,5})([0-9]{0,2})(\\.([0-9]{0,2}))?([^0-9.])", 32);

  /** Flags, least width and precision; -1 where there is none. */
  private record Shape(String flags, int width, int precision) {
    boolean has(char flag) {
      return flags.indexOf(flag) >= 0;
    }
  }

  private StringFormat() {}

  static Varargs format(Arguments a) {
    String format = latin(a.text(1));
    a.evaluation().work(format.length());
    StringBuilder out = new StringBuilder();
    Matcher matcher = DIRECTIVE.matcher(format);
    int argument = 1;
    int done = 0;
    for (int percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', done)) {
      out.append(format, done, percent);
      if (!matcher.find(percent) || matcher.start() != percent) {
        throw ScriptErrors.raised("invalid format (width or precision too long)");
      }
      done = matcher.end();
      char letter = matcher.group(5).charAt(0);
      String piece = letter == '%' ? "%" : padded(a, ++argument, letter, shape(matcher));
      a.evaluation().work(1 + piece.length() / 8);
      a.evaluation().allocate(4L * piece.length());
      a.evaluation().checkText((long) out.length() + piece.length());
      out.append(piece);
    }
    out.append(format, done, format.length());
    a.evaluation().allocateText(out.length());
    return LuaString.valueUsing(out.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Shape shape(Matcher m) {
    int precision =
        m.group(3) == null ? -1 : m.group(4).isEmpty() ? 0 : Integer.parseInt(m.group(4));
    return new Shape(
        m.group(1), m.group(2).isEmpty() ? 0 : Integer.parseInt(m.group(2)), precision);
  }

  /** One character for each byte. */
  private static String latin(LuaString text) {
    return new String(text.m_bytes, text.m_offset, text.m_length, StandardCharsets.ISO_8859_1);
  }

  private static String padded(Arguments a, int argument, char letter, Shape shape) {
    String text = piece(a, argument, letter, shape);
    int missing = shape.width() - text.length();
    if (missing <= 0) {
      return text;
    }
    if (shape.has('-')) {
      return text + " ".repeat(missing);
    }
    boolean zeros = shape.has('0') && "sqc".indexOf(letter) < 0;
    int sign = zeros && !text.isEmpty() && "+- ".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
    return zeros
        ? text.substring(0, sign) + "0".repeat(missing) + text.substring(sign)
        : " ".repeat(missing) + text;
  }

  private static String piece(Arguments a, int argument, char letter, Shape shape) {
    return switch (letter) {
      case 's' -> limited(latin(BaseLibrary.text(a.given(argument)).checkstring()), shape);
      case 'q' -> quoted(latin(a.text(argument)));
      case 'c' -> String.valueOf((char) (a.whole(argument) & 0xff));
      case 'd', 'i' -> signed(Long.toString((long) a.number(argument)), shape);
      case 'u' -> Long.toUnsignedString((long) a.number(argument));
      case 'o' -> Long.toOctalString((long) a.number(argument));
      case 'x' -> Long.toHexString((long) a.number(argument));
      case 'X' -> Long.toHexString((long) a.number(argument)).toUpperCase(java.util.Locale.ROOT);
      case 'f' -> signed(fixed(a.number(argument), shape), shape);
      case 'e', 'E' -> signed(scientific(a.number(argument), shape, letter), shape);
      case 'g', 'G' -> signed(shortest(a.number(argument), shape), shape);
      default -> throw ScriptErrors.raised("invalid option '%" + letter + "' to 'format'");
    };
  }

  private static String limited(String text, Shape shape) {
    return shape.precision() < 0 || shape.precision() >= text.length()
        ? text
        : text.substring(0, shape.precision());
  }

  private static String signed(String number, Shape shape) {
    if (number.startsWith("-")) {
      return number;
    }
    return shape.has('+') ? "+" + number : shape.has(' ') ? " " + number : number;
  }

  private static String fixed(double number, Shape shape) {
    int digits = shape.precision() < 0 ? 6 : shape.precision();
    return isFinite(number)
        ? new BigDecimal(number).setScale(digits, RoundingMode.HALF_EVEN).toPlainString()
        : NumberText.of(number);
  }

  private static String scientific(double number, Shape shape, char letter) {
    int digits = shape.precision() < 0 ? 6 : shape.precision();
    return isFinite(number) ? String.format("%." + digits + letter, number) : NumberText.of(number);
  }

  private static String shortest(double number, Shape shape) {
    if (shape.precision() < 0 || !isFinite(number)) {
      return NumberText.of(number);
    }
    MathContext digits = new MathContext(Math.max(1, shape.precision()));
    return NumberText.of(new BigDecimal(number).round(digits).doubleValue());
  }

  private static boolean isFinite(double number) {
    return !Double.isNaN(number) && !Double.isInfinite(number);
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\r", "\\r")
            .replace("\0", "\\000")
        + '"';
  }
}
