package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Dict;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merges dicts into the first of them, recursively. */
final class Merging {
  /** What happens to an entry that exists already and is not empty. */
  enum Rule {
    KEEP,
    OVERWRITE
  }

  private final Call call;
  private final Rule rule;
  private final Depth depth;

  Merging(Call call, Rule rule) {
    this.call = call;
    this.rule = rule;
    this.depth = new Depth(call);
  }

  Object of() {
    for (int i = 1; i < call.size(); i++) {
      if (!call.map(i).isEmpty()) {
        into(DictFunctions.changeable(call), call.map(i));
      }
    }
    return call.any(0) == null ? new Dict() : call.any(0);
  }

  private void into(Map<String, Object> target, Map<String, Object> source) {
    if (target == source) {
      return;
    }
    depth.enter();
    call.charge(source.size());
    source.forEach((key, value) -> entry(target, key, value));
    depth.leave();
  }

  private void entry(Map<String, Object> target, String key, @Nullable Object value) {
    Object present = target.get(key);
    if (value == null) {
      if (rule == Rule.OVERWRITE) {
        target.put(key, null);
      }
      return;
    }
    if (value instanceof Map<?, ?> from && present instanceof Map<?, ?> map) {
      Dict own = map instanceof Dict dict ? dict : new Dict(strings(map));
      into(own, strings(from));
      present = own;
      target.put(key, own);
      if (!own.isEmpty()) {
        return;
      }
    }
    if (rule == Rule.OVERWRITE || Emptiness.of(present)) {
      target.put(key, value);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> strings(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }
}
