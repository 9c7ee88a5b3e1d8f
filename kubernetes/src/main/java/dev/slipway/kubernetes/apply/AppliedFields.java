package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.ExactNumber;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares a manifest with a live object by the fields that the API server recorded for our
 * manager: they are equal when we own exactly the manifest's fields and their values are there. The
 * server takes a field from its owner when another client changes it, so drift shows here too. A
 * doubtful difference costs a request that changes nothing.
 */
final class AppliedFields {
  static final Set<String> QUANTITIES =
      Set.of("limits", "requests", "capacity", "hard", "sizeLimit", "storage");

  private AppliedFields() {}

  /** Whether applying the manifest would change nothing. */
  static boolean same(Map<String, Object> manifest, ClusterObject live, String manager) {
    List<Map<String, Object>> ours = new ArrayList<>();
    if (live.metadata().get("managedFields") instanceof List<?> all) {
      all.stream()
          .map(Values::map)
          .filter(entry -> manager.equals(entry.get("manager")))
          .filter(entry -> "Apply".equals(entry.get("operation")))
          .filter(entry -> entry.get("subresource") == null)
          .forEach(ours::add);
    }
    if (ours.size() != 1
        || !Objects.equals(manifest.get("apiVersion"), ours.getFirst().get("apiVersion"))) {
      return false;
    }
    Map<String, Object> owned = Values.map(ours.getFirst().get("fieldsV1"));
    return map(withoutIdentity(manifest), owned, live.content(), false);
  }

  /** What names an object is not recorded as a field. */
  static Map<String, Object> withoutIdentity(Map<String, Object> manifest) {
    Map<String, Object> rest = new java.util.LinkedHashMap<>(manifest);
    rest.remove("apiVersion");
    rest.remove("kind");
    Map<String, Object> metadata = new java.util.LinkedHashMap<>(Values.map(rest.get("metadata")));
    metadata.keySet().removeAll(List.of("name", "namespace", "uid", "resourceVersion"));
    rest.put("metadata", metadata);
    return rest;
  }

  private static boolean value(
      @Nullable Object wanted, Map<String, Object> owned, @Nullable Object live, boolean quantity) {
    return switch (wanted) {
      case Map<?, ?> map when !atomic(owned) ->
          map(Values.map(map), owned, Values.map(live), quantity);
      case List<?> list when !atomic(owned) ->
          live instanceof List<?> items && list(list, owned, items, quantity);
      case null, default -> equal(wanted, live, quantity);
    };
  }

  static boolean atomic(Map<String, Object> owned) {
    return owned.keySet().stream().allMatch("."::equals);
  }

  private static boolean map(
      Map<String, Object> wanted,
      Map<String, Object> owned,
      Map<String, Object> live,
      boolean quantity) {
    for (Map.Entry<String, Object> field : wanted.entrySet()) {
      Object there = owned.get("f:" + field.getKey());
      if (field.getValue() == null && there == null) {
        continue;
      }
      boolean below = quantity || QUANTITIES.contains(field.getKey());
      if (!(there instanceof Map<?, ?> fields)
          || !live.containsKey(field.getKey())
          || !value(field.getValue(), Values.map(fields), live.get(field.getKey()), below)) {
        return false;
      }
    }
    return owned.keySet().stream()
        .filter(key -> key.startsWith("f:"))
        .allMatch(key -> wanted.containsKey(key.substring(2)));
  }

  private static boolean list(
      List<?> wanted, Map<String, Object> owned, List<?> live, boolean quantity) {
    long recorded = owned.keySet().stream().filter(key -> !key.equals(".")).count();
    if (recorded != wanted.size()) {
      return false;
    }
    for (Object item : wanted) {
      Optional<String> key = owned.keySet().stream().filter(k -> names(k, item)).findFirst();
      if (key.isEmpty()) {
        return false;
      }
      boolean there =
          key.get().startsWith("v:")
              ? live.stream().anyMatch(each -> equal(item, each, quantity))
              : live.stream()
                  .filter(each -> names(key.get(), each))
                  .anyMatch(each -> value(item, Values.map(owned.get(key.get())), each, quantity));
      if (!there) {
        return false;
      }
    }
    return true;
  }

  /** Whether a key such as {@code k:{"name":"web"}} or {@code v:"a"} names that item of a list. */
  static boolean names(String key, @Nullable Object item) {
    if (key.startsWith("v:")) {
      return equal(Json.read(key.substring(2)), item, false);
    }
    if (!key.startsWith("k:") || !(item instanceof Map<?, ?> map)) {
      return false;
    }
    // A part of the key that the manifest leaves out has its default there.
    return Json.readMap(key.substring(2)).entrySet().stream()
        .allMatch(
            part ->
                !map.containsKey(part.getKey())
                    || equal(part.getValue(), map.get(part.getKey()), false));
  }

  static boolean equal(@Nullable Object wanted, @Nullable Object live, boolean quantity) {
    return switch (wanted) {
      case null -> live == null;
      case Map<?, ?> map ->
          live instanceof Map<?, ?> other
              && map.keySet().equals(other.keySet())
              && map.entrySet().stream()
                  .allMatch(e -> equal(e.getValue(), other.get(e.getKey()), quantity));
      case List<?> list -> live instanceof List<?> other && equalItems(list, other, quantity);
      case Number number when live instanceof Number other ->
          ExactNumber.compare(number, other) == 0;
      case Object value when quantity -> sameQuantity(String.valueOf(value), live);
      default -> wanted.equals(live);
    };
  }

  private static boolean equalItems(List<?> wanted, List<?> live, boolean quantity) {
    if (wanted.size() != live.size()) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (!equal(wanted.get(i), live.get(i), quantity)) {
        return false;
      }
    }
    return true;
  }

  /** {@code 1000m} is {@code 1}: the server stores quantities in their shortest form. */
  private static boolean sameQuantity(String wanted, @Nullable Object live) {
    if (wanted.equals(String.valueOf(live))) {
      return true;
    }
    try {
      BigDecimal some = Quantity.getAmountInBytes(new Quantity(wanted));
      BigDecimal other = Quantity.getAmountInBytes(new Quantity(String.valueOf(live)));
      return some.compareTo(other) == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
