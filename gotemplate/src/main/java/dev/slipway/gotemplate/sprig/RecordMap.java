package dev.slipway.gotemplate.sprig;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;

/** The components of a record by name. */
final class RecordMap {
  private RecordMap() {}

  static Map<String, Object> of(Record struct) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (RecordComponent component : struct.getClass().getRecordComponents()) {
      try {
        fields.put(component.getName(), component.getAccessor().invoke(struct));
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalArgumentException("cannot read " + component.getName(), e);
      }
    }
    return fields;
  }
}
