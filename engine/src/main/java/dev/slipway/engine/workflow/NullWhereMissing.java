package dev.slipway.engine.workflow;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map that has every key: a missing one has no value. */
final class NullWhereMissing extends AbstractMap<String, Object> {
  private final Map<String, Object> known;

  NullWhereMissing(Map<String, Object> known) {
    this.known = known;
  }

  @Override
  public boolean containsKey(Object key) {
    return true;
  }

  @Override
  public @Nullable Object get(Object key) {
    return known.get(key);
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return known.entrySet();
  }
}
