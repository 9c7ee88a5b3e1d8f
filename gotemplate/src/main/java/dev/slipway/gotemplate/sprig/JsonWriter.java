package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.NilList;
import dev.slipway.gotemplate.Values;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a value as JSON: keys in order, numbers and escapes as Go writes them. */
final class JsonWriter {
  /** Whether characters that mean something in HTML are escaped. */
  enum Html {
    ESCAPED,
    RAW
  }

  /** Whether there are line breaks. */
  enum Layout {
    COMPACT,
    INDENTED
  }

  /** A value that has no JSON. */
  static final class Unsupported extends Exception {
    private static final long serialVersionUID = 1L;

    Unsupported(String message) {
      super(message, null, false, false);
    }
  }

  private final Call call;
  private final Html html;
  private final Layout layout;
  private final Bounded out;
  private final Depth depth;
  private int level;

  JsonWriter(Call call, Html html, Layout layout) {
    this.call = call;
    this.html = html;
    this.layout = layout;
    this.out = new Bounded(call);
    this.depth = new Depth(call);
  }

  String write(@Nullable Object value) throws Unsupported {
    value(value);
    return out.toString();
  }

  private void value(@Nullable Object value) throws Unsupported {
    call.charge(1);
    switch (value) {
      case null -> out.add("null");
      case String text -> string(text);
      case Boolean bool -> out.add(bool.toString());
      case Double number -> number(number);
      case Float number -> number(number);
      case BigDecimal number -> number(number.doubleValue());
      case Number number -> out.add(number.toString());
      case GoInteger number -> out.add(number.toString());
      case List<?> list -> list(list);
      case Map<?, ?> map -> map(map);
      case JsonValue object -> value(object.json());
      case GoObject object -> string(object.text());
      case Function _ -> throw new Unsupported("json: unsupported type: " + Values.type(value));
      case Record struct -> map(RecordMap.of(struct));
      default -> throw new Unsupported("json: unsupported type");
    }
  }

  private void number(double number) throws Unsupported {
    out.add(finite(number, GoFloat.json(number)));
  }

  private void number(float number) throws Unsupported {
    out.add(finite(number, GoFloat.json(number)));
  }

  private String finite(double number, String text) throws Unsupported {
    if (!Double.isFinite(number)) {
      throw new Unsupported("json: unsupported value: " + call.print(number));
    }
    return text;
  }

  private void list(List<?> list) throws Unsupported {
    if (NilList.is(list)) {
      out.add("null");
      return;
    }
    depth.enter();
    out.add('[');
    level++;
    String separator = "";
    for (Object element : list) {
      out.add(separator);
      newLine();
      value(element);
      separator = ",";
    }
    level--;
    if (!list.isEmpty()) {
      newLine();
    }
    out.add(']');
    depth.leave();
  }

  private void map(Map<?, ?> map) throws Unsupported {
    depth.enter();
    out.add('{');
    level++;
    String separator = "";
    for (String key : Values.sortedKeys(map)) {
      out.add(separator);
      newLine();
      string(key);
      out.add(layout == Layout.INDENTED ? ": " : ":");
      value(map.get(key));
      separator = ",";
    }
    level--;
    if (!map.isEmpty()) {
      newLine();
    }
    out.add('}');
    depth.leave();
  }

  private void newLine() {
    if (layout == Layout.INDENTED) {
      out.add('\n').pad(2 * level);
    }
  }

  private void string(String text) {
    out.add('"');
    text.codePoints().forEach(this::character);
    out.add('"');
  }

  private void character(int c) {
    switch (c) {
      case '"' -> out.add("\\\"");
      case '\\' -> out.add("\\\\");
      case '\n' -> out.add("\\n");
      case '\r' -> out.add("\\r");
      case '\t' -> out.add("\\t");
      case '\b' -> out.add("\\b");
      case '\f' -> out.add("\\f");
      case '<', '>', '&' -> {
        if (html == Html.ESCAPED) {
          escape(c);
        } else {
          out.add((char) c);
        }
      }
      default -> {
        if (c < ' ' || c == 0x2028 || c == 0x2029) {
          escape(c);
        } else if (Runes.valid(c) != c) {
          escape(0xFFFD);
        } else {
          out.addCodePoint(c);
        }
      }
    }
  }

  private void escape(int c) {
    String digits = Integer.toHexString(c);
    out.add("\\u").add("0".repeat(4 - digits.length())).add(digits);
  }
}
