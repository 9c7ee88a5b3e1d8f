package dev.slipway.gotemplate;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map whose values have one Go type, for example {@code map[string]string}; a plain {@link Map}
 * is {@code map[string]interface {}}.
 */
public final class TypedMap extends AbstractMap<String, Object> {
  private final GoType type;
  private final Map<String, Object> entries;

  private TypedMap(GoType type, Map<String, Object> entries) {
    this.type = type;
    this.entries = entries;
  }

  /** The map of Go type {@code map[string]value} over these entries, which are not copied. */
  public static TypedMap of(GoType value, Map<String, Object> entries) {
    return new TypedMap(GoType.mapOf(value), entries);
  }

  /** The type of the map, not of its values. */
  public GoType type() {
    return type;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    return entries.get(key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return entries.containsKey(key);
  }

  @Override
  public @Nullable Object put(String key, @Nullable Object value) {
    return entries.put(key, value);
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return entries.entrySet();
  }
}
