package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.NilList;
import dev.slipway.gotemplate.Values;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value as block YAML the way Kubernetes tools do: keys in order, lists at the indentation
 * of their key, text of several lines as literal blocks. Long lines are never folded.
 */
final class YamlWriter {
  private static final int LONGEST_SIMPLE_KEY = 128;

  private final Call call;
  private final Bounded out;
  private final Depth depth;

  private YamlWriter(Call call) {
    this.call = call;
    this.out = new Bounded(call);
    this.depth = new Depth(call);
  }

  /** The value as YAML without a line break at its end. */
  static String write(Call call, @Nullable Object value) {
    YamlWriter writer = new YamlWriter(call);
    writer.inline(value, 0);
    String text = writer.out.toString();
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  /** Writes a value at the place where the line stands; what follows is indented by so much. */
  private void inline(@Nullable Object value, int indent) {
    call.charge(1);
    switch (value) {
      case Map<?, ?> map when !map.isEmpty() -> map(map, indent);
      case List<?> list when !list.isEmpty() -> list(list, indent);
      case String text when YamlScalar.isBlock(text) -> block(text, indent);
      case JsonValue object -> inline(object.json(), indent);
      case Record struct when !(value instanceof GoObject) && !(value instanceof GoInteger) ->
          inline(RecordMap.of(struct), indent);
      case null, default -> out.add(scalar(value)).add('\n');
    }
  }

  private String scalar(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> YamlScalar.line(text);
      case Double number -> number(number);
      case Float number -> number(number);
      case BigDecimal number -> number(number.doubleValue());
      case Map<?, ?> _ -> "{}";
      case List<?> list -> NilList.is(list) ? "null" : "[]";
      case GoObject object -> YamlScalar.line(object.text());
      default -> call.print(value);
    };
  }

  private String number(double number) {
    if (!Double.isFinite(number)) {
      throw call.fail("a number that is not finite cannot be written as YAML");
    }
    return GoFloat.yaml(number);
  }

  private void map(Map<?, ?> map, int indent) {
    depth.enter();
    String start = "";
    for (String key : Values.sortedKeys(map)) {
      out.add(start);
      entry(YamlScalar.line(key), map.get(key), indent);
      start = " ".repeat(indent);
    }
    depth.leave();
  }

  private void entry(String key, @Nullable Object value, int indent) {
    if (key.length() > LONGEST_SIMPLE_KEY) {
      out.add("? ").add(key).add('\n').pad(indent).add(": ");
      inline(value, indent + 2);
      return;
    }
    out.add(key).add(':');
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      out.add('\n').pad(indent + 2);
      inline(value, indent + 2);
    } else if (value instanceof List<?> list && !list.isEmpty()) {
      out.add('\n').pad(indent);
      inline(value, indent);
    } else {
      out.add(' ');
      inline(value, indent);
    }
  }

  private void list(List<?> list, int indent) {
    depth.enter();
    String start = "- ";
    for (Object element : list) {
      out.add(start);
      if (element instanceof String) {
        inline(element, indent);
      } else {
        inline(element, indent + 2);
      }
      start = " ".repeat(indent) + "- ";
    }
    depth.leave();
  }

  private void block(String text, int indent) {
    out.add(YamlScalar.blockHead(text));
    String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    for (String line : body.split("\n", -1)) {
      out.add('\n');
      if (!line.isEmpty()) {
        out.pad(indent + 2).add(line);
      }
    }
    out.add('\n');
  }
}
