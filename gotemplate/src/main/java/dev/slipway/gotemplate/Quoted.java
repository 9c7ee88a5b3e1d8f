package dev.slipway.gotemplate;

import java.util.Optional;

/** Go's quoted strings and characters, both ways. */
final class Quoted {
  private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";
  private static final String LETTERS = "abfnrtv\\";

  /** The text of a literal that has been read so far, and where reading goes on. */
  private final String literal;

  private int at = 1;

  private Quoted(String literal) {
    this.literal = literal;
  }

  /** The string that a literal in double or back quotes stands for; empty if it is malformed. */
  static Optional<String> unquote(String literal) {
    if (literal.startsWith("`")) {
      return Optional.of(literal.substring(1, literal.length() - 1).replace("\r", ""));
    }
    Quoted reader = new Quoted(literal);
    StringBuilder text = new StringBuilder(literal.length());
    while (reader.at < literal.length() - 1) {
      int point = reader.next('"');
      if (point == -1) {
        return Optional.empty();
      }
      text.appendCodePoint(point);
    }
    return Optional.of(Text.rejoin(text.toString()));
  }

  /** The code point of a literal such as 'x'; -1 if it is malformed. */
  static int unquoteCharacter(String literal) {
    Quoted reader = new Quoted(literal);
    if (literal.length() < 3) {
      return -1;
    }
    int point = reader.next('\'');
    if (point >= 0xDC80 && point <= 0xDCFF) {
      point -= 0xDC00;
    }
    return reader.at == literal.length() - 1 ? point : -1;
  }

  /** The next code point, or a byte as {@link Text} keeps it, or -1. */
  private int next(char quote) {
    int c = literal.codePointAt(at);
    at += Character.charCount(c);
    if (c == quote || c == '\n') {
      return -1;
    }
    return c == '\\' ? escape(quote) : c;
  }

  private int escape(char quote) {
    char c = literal.charAt(at++);
    int simple = LETTERS.indexOf(c);
    if (simple >= 0) {
      return ESCAPED.charAt(simple);
    }
    return switch (c) {
      case 'x' -> octet(digits(2, 16));
      case 'u' -> rune(digits(4, 16));
      case 'U' -> rune(digits(8, 16));
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        at--;
        yield octet(digits(3, 8));
      }
      default -> c == quote ? c : -1;
    };
  }

  private long digits(int count, int radix) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      int digit = at < literal.length() ? Character.digit(literal.charAt(at), radix) : -1;
      if (digit < 0 || literal.charAt(at) > 'f') {
        return -1;
      }
      value = value * radix + digit;
      at++;
    }
    return value;
  }

  private static int octet(long value) {
    return value < 0 || value > 255 ? -1 : value < 0x80 ? (int) value : (int) (0xDC00 + value);
  }

  private static int rune(long value) {
    boolean valid = value >= 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    return valid ? (int) value : -1;
  }

  /** A literal in double quotes, as {@code %q} writes it. */
  static String quote(String text) {
    return quote(text, '"', Escaping.UNPRINTABLE);
  }

  static String quote(String text, char quote, Escaping escaping) {
    StringBuilder out = new StringBuilder(text.length() + 2).append(quote);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (Text.isByte(text, i)) {
        out.append(hex("\\x", 2, c - 0xDC00));
      } else {
        append(out, c, quote, escaping);
      }
      i += Character.charCount(c);
    }
    return out.append(quote).toString();
  }

  private static void append(StringBuilder out, int c, char quote, Escaping escaping) {
    int simple = c == '\\' ? LETTERS.length() - 1 : ESCAPED.indexOf(c);
    if (c == quote) {
      out.append('\\').appendCodePoint(c);
    } else if (simple >= 0) {
      out.append('\\').append(LETTERS.charAt(simple));
    } else if (c < 0x80 ? printable(c) : escaping == Escaping.UNPRINTABLE && printable(c)) {
      out.appendCodePoint(c);
    } else if (c < ' ' || c == 0x7f) {
      out.append(hex("\\x", 2, c));
    } else if (c >= 0xD800 && c <= 0xDFFF) {
      out.append("\\ufffd");
    } else {
      out.append(c < 0x10000 ? hex("\\u", 4, c) : hex("\\U", 8, c));
    }
  }

  private static String hex(String prefix, int width, int value) {
    String digits = Integer.toHexString(value);
    return prefix + "0".repeat(width - digits.length()) + digits;
  }

  /** Whether a string can be written between back quotes unchanged. */
  static boolean canBackquote(String text) {
    return Text.isValid(text)
        && text.codePoints()
            .allMatch(c -> c != 0xFEFF && (c >= ' ' || c == '\t') && c != '`' && c != 0x7f);
  }

  /** Go's printable characters: letters, marks, numbers, punctuation, symbols, and the space. */
  static boolean printable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }

  /** A character as {@code %#U} writes it. */
  static String unicode(int c) {
    String digits = Integer.toHexString(Math.max(c, 0)).toUpperCase(java.util.Locale.ROOT);
    String number = "U+" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    return c > 0 && printable(c) ? number + " '" + Character.toString(c) + "'" : number;
  }

  /** Which characters {@code %q} escapes. */
  enum Escaping {
    UNPRINTABLE,
    NOT_ASCII
  }
}
