package dev.slipway.cli.kinds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an event or an approval is about an object, as the table says: both name one
 * node, or the record holds the object's key in the field that the table names.
 */
public record InvolvedObject(Kind kind, Map<String, Object> object) {

  public boolean in(Map<String, Object> record) {
    @Nullable String field = kind.events().field();
    return field == null ? names(record.get("node")) : holds(record, field);
  }

  /**
   * The same, or the record is about a part of the object, or both refer to one third object:
   * {@code runId} of a resource and an approval.
   */
  public boolean nearby(Map<String, Object> record) {
    return in(record)
        || names(record.get("root"))
        || object.entrySet().stream()
            .filter(field -> field.getKey().endsWith("Id") && field.getValue() != null)
            .anyMatch(field -> field.getValue().equals(record.get(field.getKey())));
  }

  private boolean holds(Map<String, Object> record, String field) {
    Object key = object.get(kind.key());
    return key != null
        && (key.equals(record.get(field))
            || record.get("data") instanceof Map<?, ?> data && key.equals(data.get(field)));
  }

  /** The same node, or a part of it: {@code spec:shop} of {@code application:shop}. */
  private boolean names(@Nullable Object node) {
    return object.get("node") instanceof String mine
        && node instanceof String other
        && kind.events().nodes().contains(prefix(other))
        && rest(mine).equals(rest(other));
  }

  private static String prefix(String node) {
    return node.substring(0, Math.max(0, node.indexOf(':')));
  }

  private static String rest(String node) {
    return node.substring(node.indexOf(':') + 1);
  }
}
