package dev.slipway.server;

import dev.slipway.engine.value.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Secrets that occur nowhere else, by where they were planted, and the search for them in every
 * shape in which one could leak.
 */
final class Plants {
  private final Map<String, String> values = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> shapes = new LinkedHashMap<>();

  /** A new secret. */
  String plant(String where) {
    return plant(where, "Zq" + (values.size() + 10) + "xKw7pLant" + where.hashCode() + "vB");
  }

  /** One with characters that are written differently in JSON, in URLs and in shells. */
  String awkward(String where) {
    return plant(where, "Zq" + (values.size() + 10) + "\"x\\K/w+7&p=L ant" + where.hashCode());
  }

  private String plant(String where, String value) {
    values.put(where, value);
    Map<String, String> all = new LinkedHashMap<>();
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    all.put("as it is", value);
    String json = Json.write(value);
    all.put("in JSON", json.substring(1, json.length() - 1));
    all.put("in a URL", URLEncoder.encode(value, StandardCharsets.UTF_8));
    all.put("in a path", all.get("in a URL").replace("+", "%20"));
    all.put("base64", Base64.getEncoder().withoutPadding().encodeToString(bytes));
    all.put("base64url", Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    all.put("base64 after something else", inner(value, "user:"));
    all.put("base64 after something more", inner(value, "users:"));
    shapes.put(where, all);
    return value;
  }

  /** What base64 of a text looks like in the middle of which the secret stands. */
  private static String inner(String value, String before) {
    String whole =
        Base64.getEncoder().encodeToString((before + value).getBytes(StandardCharsets.UTF_8));
    int from = (before.length() * 8 + 5) / 6;
    return whole.substring(from, whole.length() - 4);
  }

  String value(String where) {
    return values.get(where);
  }

  /** What of all that shows up in a text. */
  List<String> in(String place, String text) {
    List<String> found = new ArrayList<>();
    shapes.forEach(
        (where, all) ->
            all.entrySet().stream()
                .filter(shape -> text.contains(shape.getValue()))
                .findFirst()
                .ifPresent(
                    shape ->
                        found.add(
                            place
                                + " shows the secret of '"
                                + where
                                + "' "
                                + shape.getKey()
                                + ": "
                                + around(text, shape.getValue()))));
    return found;
  }

  private static String around(String text, String shape) {
    int at = text.indexOf(shape);
    return "…"
        + text.substring(Math.max(0, at - 120), Math.min(text.length(), at + shape.length() + 60))
        + "…";
  }
}
