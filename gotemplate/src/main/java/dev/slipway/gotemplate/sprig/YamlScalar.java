package dev.slipway.gotemplate.sprig;

import java.util.regex.Pattern;

/** How a text is written in YAML so that every reader gets just this text back. */
final class YamlScalar {
  /** What a reader of YAML 1.1 or 1.2 would take for something else than text. */
  private static final Pattern NOT_TEXT =
      Pattern.compile(
          "|~|null|Null|NULL|<<|=|y|Y|n|N|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE"
              + "|on|On|ON|off|Off|OFF"
              + "|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)"
              + "|[-+]?0b[01_]++|[-+]?0x[0-9a-fA-F_]++|[-+]?0o[0-7_]++"
              + "|[-+]?(?:[0-9][0-9_]*+(?:\\.[0-9_]*+)?|\\.[0-9][0-9_]*+)(?:[eE][-+]?[0-9]++)?"
              + "|[-+]?[0-9][0-9_]*+(?::[0-5]?[0-9])++(?:\\.[0-9_]*+)?"
              + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \\t].*)?");

  private YamlScalar() {}

  /** Whether the text can be written as a literal block. */
  static boolean isBlock(String text) {
    return text.indexOf('\n') >= 0
        && !text.contains(" \n")
        && !text.endsWith(" ")
        && text.codePoints().noneMatch(YamlScalar::isSpecial);
  }

  /** The head of a literal block: how its end and its indentation are to be read. */
  static String blockHead(String text) {
    boolean hint = text.startsWith(" ") || text.startsWith("\n");
    boolean keep = text.endsWith("\n\n") || text.equals("\n");
    return (hint ? "|2" : "|") + (!text.endsWith("\n") ? "-" : keep ? "+" : "");
  }

  /** The text on one line. */
  static String line(String text) {
    if (text.codePoints().anyMatch(c -> c == '\n' || isSpecial(c)) || isNotText(text)) {
      return quoted(text);
    }
    return isPlain(text) ? text : "'" + text.replace("'", "''") + "'";
  }

  private static boolean isNotText(String text) {
    return text.length() < 200 && NOT_TEXT.matcher(text).matches();
  }

  private static boolean isPlain(String text) {
    char first = text.charAt(0);
    boolean mark = "-?:".indexOf(first) >= 0 && (text.length() == 1 || text.charAt(1) == ' ');
    return "#,[]{}&*!|>'\"%@` ".indexOf(first) < 0
        && !mark
        && !text.startsWith("---")
        && !text.startsWith("...")
        && !text.endsWith(" ")
        && !text.endsWith(":")
        && !text.contains(": ")
        && !text.contains(" #");
  }

  private static boolean isSpecial(int c) {
    boolean printable = c == '\n' || c >= ' ' && c <= '~' || c >= 0xA0 && c < 0xD800;
    boolean high = c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF;
    return !printable && !high || c == 0x2028 || c == 0x2029;
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.codePoints().map(Runes::valid).forEach(c -> escape(out, c));
    return out.append('"').toString();
  }

  private static void escape(StringBuilder out, int c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (!isSpecial(c)) {
          out.appendCodePoint(c);
        } else {
          int width = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
          String digits = Integer.toHexString(c).toUpperCase(java.util.Locale.ROOT);
          out.append(width == 2 ? "\\x" : width == 4 ? "\\u" : "\\U");
          out.repeat('0', width - digits.length()).append(digits);
        }
      }
    }
  }
}
