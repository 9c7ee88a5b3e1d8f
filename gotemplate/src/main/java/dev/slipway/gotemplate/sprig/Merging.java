package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import java.util.HashMap;
import java.util.Map;

/** Puts the entries of dicts into the first of them, level by level. */
final class Merging {
  /** What happens to an entry that is there already and not empty. */
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
    return call.any(0) == null ? new HashMap<String, Object>() : call.any(0);
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

  @SuppressWarnings("unchecked")
  private void entry(Map<String, Object> target, String key, Object value) {
    Object present = target.get(key);
    if (value == null) {
      if (rule == Rule.OVERWRITE) {
        target.put(key, null);
      }
      return;
    }
    if (value instanceof Map<?, ?> && present instanceof Map<?, ?>) {
      into((Map<String, Object>) present, (Map<String, Object>) value);
      if (!((Map<?, ?>) present).isEmpty()) {
        return;
      }
    }
    if (rule == Rule.OVERWRITE || Emptiness.of(present)) {
      target.put(key, value);
    }
  }
}
