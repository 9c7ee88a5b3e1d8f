package dev.slipway.applications.plan;

import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Params in the tables of cases: {@code 2} is {@code size: 2}, {@code 2,name:b} has a second one,
 * {@code @net} refers to the output {@code host} of net, {@code @net.port} to another output, and
 * {@code !x} is a secret.
 */
public final class ParamWords {
  /** The key that secrets of the tables are sealed under. */
  public static final SecretBox BOX = new SecretBox(new byte[32]);

  private ParamWords() {}

  /** Reads them. */
  public static Map<String, @Nullable Object> read(String text) {
    Map<String, @Nullable Object> params = new LinkedHashMap<>();
    for (String part : text.split(",")) {
      int colon = part.indexOf(':');
      String name = colon < 0 ? "size" : part.substring(0, colon);
      params.put(name, value(part.substring(colon + 1)));
    }
    return params;
  }

  private static Object value(String text) {
    if (text.startsWith("!")) {
      return BOX.seal(text.substring(1));
    }
    if (!text.startsWith("@")) {
      return text;
    }
    String output = text.substring(1);
    return "${resources." + (output.contains(".") ? output : output + ".host") + "}";
  }

  /** Writes them. */
  public static String write(Map<String, @Nullable Object> params) {
    return new TreeMap<>(params)
        .descendingMap().entrySet().stream()
            .map(e -> (e.getKey().equals("size") ? "" : e.getKey() + ":") + shown(e.getValue()))
            .collect(Collectors.joining(","));
  }

  private static String shown(@Nullable Object value) {
    return value instanceof Sealed sealed ? "!" + BOX.open(sealed) : String.valueOf(value);
  }

  /** As records keep it. */
  public static String hash(String text) {
    return new Fingerprint(BOX).of(read(text));
  }
}
