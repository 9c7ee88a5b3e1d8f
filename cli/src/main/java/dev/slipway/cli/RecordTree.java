package dev.slipway.cli;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.value.Values;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Records as the maps that the server would have sent for them. */
final class RecordTree {
  private RecordTree() {}

  static Object of(Object value) {
    return switch (value) {
      case NodeRef node -> node.text();
      case Record data -> fields(data);
      case Enum<?> word -> word.name().toLowerCase(Locale.ROOT).replace('_', '-');
      case List<?> list -> list.stream().map(RecordTree::of).collect(Values.toList());
      case Map<?, ?> map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put(String.valueOf(k), of(v)));
        yield out;
      }
      case Integer number -> number.longValue();
      case null, default -> value;
    };
  }

  private static Map<String, Object> fields(Record data) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (RecordComponent each : data.getClass().getRecordComponents()) {
      try {
        Object value = of(each.getAccessor().invoke(data));
        if (value != null) {
          out.put(each.getName(), value);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return out;
  }
}
