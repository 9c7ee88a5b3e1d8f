package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.Text;
import dev.slipway.gotemplate.TypedList;
import dev.slipway.gotemplate.TypedMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Functions between text and lists of text. */
final class TextListFunctions {
  private TextListFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("Strings")
        .add("toString", "(v any) string", "the value as text", c -> c.print(c.any(0)))
        .add(
            "toStrings",
            "(list any) []string",
            "the elements as text",
            c -> TypedList.ofStrings(strings(c, c.any(0))))
        .add(
            "join",
            "(separator string, list any) string",
            "the elements as text with the separator between",
            TextListFunctions::join)
        .add(
            "sortAlpha",
            "(list any) []string",
            "the elements as text, in order",
            TextListFunctions::sort)
        .add(
            "split",
            "(separator string, s string) map[string]string",
            "the parts as _0, _1, …",
            c -> numbered(split(c, c.string(0), c.string(1), -1)))
        .add(
            "splitn",
            "(separator string, n int, s string) map[string]string",
            "at most n parts as _0, _1, …",
            c -> numbered(split(c, c.string(0), c.string(2), c.integer(1))))
        .add(
            "splitList",
            "(separator string, s string) []string",
            "the parts as a list",
            c -> TypedList.ofStrings(split(c, c.string(0), c.string(1), -1)))
        .all();
  }

  /** The elements of a list as text, nil left out; a single value is a list of one. */
  static List<String> strings(Call call, @Nullable Object value) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      return List.of(call.print(value));
    }
    call.charge(list.size());
    List<String> strings = new ArrayList<>(list.size());
    for (Object element : list) {
      if (element != null) {
        strings.add(call.print(element));
      }
    }
    return strings;
  }

  private static String join(Call call) {
    Bounded out = new Bounded(call);
    String separator = "";
    for (String part : strings(call, call.any(1))) {
      out.add(separator).add(part);
      separator = call.string(0);
    }
    return Text.rejoin(out.toString());
  }

  private static TypedList sort(Call call) {
    if (!(call.any(0) instanceof List<?>)) {
      return TypedList.ofStrings(List.of(call.print(call.any(0))));
    }
    List<String> sorted = new ArrayList<>(strings(call, call.any(0)));
    call.charge(4L * sorted.size());
    sorted.sort(Text.ORDER);
    return TypedList.ofStrings(sorted);
  }

  /** At most {@code limit} parts, all when negative. An empty separator cuts every character. */
  private static List<String> split(Call call, String separator, String text, long limit) {
    return Octets.apply(
        separator,
        text,
        (part, whole, back) -> pieces(call, part, whole, limit).stream().map(back).toList());
  }

  private static List<String> pieces(Call call, String separator, String text, long limit) {
    List<String> parts = new ArrayList<>();
    int at = 0;
    while (limit < 0 || parts.size() + 1 < limit) {
      int end = at;
      if (!separator.isEmpty()) {
        end = text.indexOf(separator, at);
      } else {
        end = at < text.length() ? text.offsetByCodePoints(at, 1) : -1;
      }
      if (end < 0 || separator.isEmpty() && end == text.length()) {
        break;
      }
      call.charge(1);
      parts.add(text.substring(at, end));
      at = end + separator.length();
    }
    if (limit != 0 && !(separator.isEmpty() && text.isEmpty())) {
      parts.add(text.substring(at));
    }
    return parts;
  }

  private static TypedMap numbered(List<String> parts) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      map.put("_" + i, parts.get(i));
    }
    return TypedMap.of(GoType.STRING, map);
  }
}
