package dev.slipway.engine.execute;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Sha256;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.engine.workflow.RenderedSql;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A hash of what a step gets, without its secrets. */
final class InputHash {
  private InputHash() {}

  static String of(Map<String, Object> config, Map<String, String> env, Secrets secrets) {
    if (config.isEmpty() && env.isEmpty()) {
      return "";
    }
    Map<String, Object> tree = new TreeMap<>();
    tree.put("config", plain(config));
    tree.put("env", plain(env));
    return Sha256.hex(secrets.mask(Json.write(tree))).substring(0, 32);
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((k, v) -> sorted.put(String.valueOf(k), plain(v)));
        yield sorted;
      }
      case List<?> list -> mapped(list);
      case RenderedScript script -> pair(script.text(), script.env());
      case RenderedManifest manifest -> plain(manifest.content());
      case RenderedSql sql -> pair(sql.text(), sql.values());
      case null -> null;
      default -> value;
    };
  }

  private static List<Object> mapped(List<?> list) {
    List<Object> out = new ArrayList<>(list.size());
    list.forEach(v -> out.add(plain(v)));
    return out;
  }

  private static Map<String, Object> pair(String text, Object with) {
    Map<String, Object> pair = new LinkedHashMap<>();
    pair.put("text", text);
    pair.put("with", plain(with));
    return pair;
  }
}
