package dev.slipway.web.kind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which events are about objects of a kind.
 *
 * @param types {@code run.*} stands for all that begin so
 * @param field of the event's data that holds the object's key; null: an event is about the object
 *     when their nodes have the same name
 */
public record EventTypes(List<String> types, @Nullable String field) {
  static final EventTypes NONE = new EventTypes(List.of(), null);

  public EventTypes {
    types = List.copyOf(types);
  }

  /** Whether events of that type are among them. */
  public boolean includes(String type) {
    return types.stream()
        .anyMatch(
            each ->
                each.endsWith("*")
                    ? type.startsWith(each.substring(0, each.length() - 1))
                    : type.equals(each));
  }
}
