package dev.slipway.gotemplate;

import java.util.Locale;

/** The escaping functions {@code html}, {@code js} and {@code urlquery}. */
final class Escapes {
  private static final int LONGEST_ESCAPE = 6;

  private Escapes() {}

  static String html(Call call, String text) {
    call.room(text.length());
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\0' -> out.append('\uFFFD');
        case '"' -> out.append("&#34;");
        case '\'' -> out.append("&#39;");
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        default -> out.append(c);
      }
    }
    return bounded(call, out);
  }

  static String js(Call call, String text) {
    call.room(text.length());
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (c == '\\' || c == '\'' || c == '"') {
        out.append('\\').append((char) c);
      } else if (Text.isByte(text, i)) {
        out.append((char) c);
      } else if (c < ' ' || "<>&=".indexOf(c) >= 0 || c >= 0x7f && !Quoted.printable(c)) {
        out.append(c == 0x7f ? "\u007f" : String.format(Locale.ROOT, "\\u%04X", c));
      } else {
        out.appendCodePoint(c);
      }
      i += Character.charCount(c);
    }
    return bounded(call, out);
  }

  static String urlquery(Call call, String text) {
    call.room((long) text.length() * LONGEST_ESCAPE >> 1);
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (byte octet : Text.bytes(text)) {
      char c = (char) (octet & 0xff);
      boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "-_.~".indexOf(c) >= 0);
      if (plain) {
        out.append(c);
      } else if (c == ' ') {
        out.append('+');
      } else {
        out.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        out.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return bounded(call, out);
  }

  private static String bounded(Call call, StringBuilder out) {
    call.room(out.length());
    return out.toString();
  }
}
