package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Dict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON the way Go decodes it into any: numbers are float64, the last of equal keys wins. */
final class JsonReader {
  /** Text that is not JSON. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  private final Call call;
  private final String text;
  private final Depth depth;
  private int at;

  JsonReader(Call call, String text) {
    this.call = call;
    this.text = text;
    this.depth = new Depth(call);
  }

  @Nullable Object read() throws Malformed {
    call.charge(text.length() >> 4);
    Object value = value();
    skipSpace();
    if (at < text.length()) {
      throw unexpected("after top-level value");
    }
    return value;
  }

  private @Nullable Object value() throws Malformed {
    call.charge(1);
    skipSpace();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw unexpected("looking for beginning of value");
    };
  }

  private Map<String, Object> object() throws Malformed {
    depth.enter();
    Map<String, Object> map = new Dict();
    at++;
    skipSpace();
    if (peek() == '}') {
      at++;
    } else {
      do {
        skipSpace();
        if (peek() != '"') {
          throw unexpected("looking for beginning of object key string");
        }
        String key = string();
        skipSpace();
        if (peek() != ':') {
          throw unexpected("after object key");
        }
        at++;
        map.put(key, value());
      } while (more('}', "after object key:value pair"));
    }
    depth.leave();
    return map;
  }

  private List<Object> array() throws Malformed {
    depth.enter();
    List<Object> list = new ArrayList<>();
    at++;
    skipSpace();
    if (peek() == ']') {
      at++;
    } else {
      do {
        list.add(value());
      } while (more(']', "after array element"));
    }
    depth.leave();
    return list;
  }

  private boolean more(char end, String where) throws Malformed {
    skipSpace();
    char c = peek();
    if (c != ',' && c != end) {
      throw unexpected(where);
    }
    at++;
    return c == ',';
  }

  private @Nullable Object word(String word, @Nullable Object value) throws Malformed {
    for (int i = 0; i < word.length(); i++, at++) {
      String where = "in literal " + word + " (expecting '" + word.charAt(i) + "')";
      if (peek() != word.charAt(i)) {
        throw unexpected(where);
      }
    }
    return value;
  }

  private Double number() throws Malformed {
    int start = at;
    at += text.charAt(at) == '-' ? 1 : 0;
    if (peek() == '0') {
      at++;
    } else {
      digits("in numeric literal");
    }
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      digits("after decimal point in numeric literal");
    }
    if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
      at++;
      at += at < text.length() && "+-".indexOf(text.charAt(at)) >= 0 ? 1 : 0;
      digits("in exponent of numeric literal");
    }
    String literal = text.substring(start, at);
    double number = Double.parseDouble(literal);
    if (Double.isInfinite(number)) {
      throw new Malformed(
          "json: cannot unmarshal number " + literal + " into Go value of type float64");
    }
    return number;
  }

  private void digits(String where) throws Malformed {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == start) {
      peek();
      throw unexpected(where);
    }
  }

  private String string() throws Malformed {
    StringBuilder out = new StringBuilder();
    at++;
    while (true) {
      char c = peek();
      if (c == '"') {
        at++;
        return validated(out.toString());
      }
      if (c < ' ') {
        throw unexpected("in string literal");
      }
      at++;
      out.append(c == '\\' ? escape() : c);
    }
  }

  /** Halves of characters and bytes that are not UTF-8 become the replacement character. */
  private static String validated(String text) {
    return text.codePoints().allMatch(c -> Runes.valid(c) == c) ? text : Runes.map(text, c -> c);
  }

  private char escape() throws Malformed {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> {
        at--;
        throw unexpected("in string escape code");
      }
    };
  }

  private char unicode() throws Malformed {
    int value = 0;
    for (int i = 0; i < 4; i++, at++) {
      char c = peek();
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw unexpected("in \\u hexadecimal character escape");
      }
      value = value * 16 + digit;
    }
    return (char) value;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() throws Malformed {
    if (at >= text.length()) {
      throw new Malformed("unexpected end of JSON input");
    }
    return text.charAt(at);
  }

  private Malformed unexpected(String where) {
    String character = text.substring(at, text.offsetByCodePoints(at, 1));
    String quoted = character.equals("'") ? "'\\''" : "'" + character + "'";
    return new Malformed("invalid character " + quoted + " " + where);
  }
}
