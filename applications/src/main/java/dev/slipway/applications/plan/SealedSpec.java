package dev.slipway.applications.plan;

import dev.slipway.applications.score.Substitution;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Score document fit to be stored: what a key's name or a workflow's declaration makes a secret
 * is sealed. A value that is nothing but a placeholder says no secret and stays readable.
 */
final class SealedSpec {
  private final SecretBox box;
  private final Function<String, Set<String>> secretParams;

  /**
   * @param secretParams names of params that the workflow of a resource type declares secret
   */
  SealedSpec(SecretBox box, Function<String, Set<String>> secretParams) {
    this.box = box;
    this.secretParams = secretParams;
  }

  Map<String, @Nullable Object> of(Map<?, ?> document) {
    Map<String, @Nullable Object> out = copy(document);
    eachEntry(out, "containers", container -> eachValue(container, "variables", this::byName));
    eachEntry(out, "resources", this::resource);
    return out;
  }

  private Map<String, @Nullable Object> resource(Map<String, @Nullable Object> resource) {
    Set<String> declared = secretParams.apply(String.valueOf(resource.get("type")));
    if (resource.get("params") instanceof Map<?, ?> params) {
      Map<String, @Nullable Object> sealed = copy(params);
      sealed.replaceAll((key, value) -> seal(value, declared.contains(key) || says(key)));
      resource.put("params", sealed);
    }
    return resource;
  }

  private Map<String, @Nullable Object> byName(Map<String, @Nullable Object> values) {
    values.replaceAll((key, value) -> seal(value, says(key)));
    return values;
  }

  private @Nullable Object seal(@Nullable Object value, boolean secret) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> out = copy(map);
        out.replaceAll((key, inner) -> seal(inner, secret || says(key)));
        yield out;
      }
      case List<?> list -> {
        List<@Nullable Object> out = new ArrayList<>(list);
        out.replaceAll(inner -> seal(inner, secret));
        yield out;
      }
      case null -> null;
      case String text when secret && onlyPlaceholder(text) -> text;
      case Sealed sealed -> sealed;
      default -> secret ? box.seal(value) : value;
    };
  }

  private static boolean says(String key) {
    return Secrets.nameSaysSecret(key);
  }

  private static boolean onlyPlaceholder(String text) {
    return text.startsWith("${")
        && text.indexOf('}') == text.length() - 1
        && Substitution.parse(text).hasPlaceholders();
  }

  private static void eachValue(
      Map<String, @Nullable Object> map,
      String key,
      Function<Map<String, @Nullable Object>, Map<String, @Nullable Object>> change) {
    if (map.get(key) instanceof Map<?, ?> inner) {
      map.put(key, change.apply(copy(inner)));
    }
  }

  private interface Change {
    void on(Map<String, @Nullable Object> entry);
  }

  private static void eachEntry(Map<String, @Nullable Object> map, String key, Change change) {
    eachValue(
        map,
        key,
        entries -> {
          entries.replaceAll(
              (name, entry) -> {
                if (!(entry instanceof Map<?, ?> inner)) {
                  return entry;
                }
                Map<String, @Nullable Object> changed = copy(inner);
                change.on(changed);
                return changed;
              });
          return entries;
        });
  }

  static Map<String, @Nullable Object> copy(Map<?, ?> map) {
    Map<String, @Nullable Object> out = LinkedHashMap.newLinkedHashMap(map.size());
    map.forEach((key, value) -> out.put((String) key, value));
    return out;
  }
}
