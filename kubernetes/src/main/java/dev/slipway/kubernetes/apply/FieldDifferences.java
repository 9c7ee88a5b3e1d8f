package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.ObjectField.Item;
import dev.slipway.kubernetes.apply.ObjectField.Named;
import dev.slipway.kubernetes.apply.ObjectField.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a manifest that another client has changed or removed: the live object has another
 * value there, and our manager does not own the field any more. A value that differs in a field
 * that we still own is ours in the form that the server or a webhook gave it.
 */
final class FieldDifferences {
  private final ManagedFields managed;
  private final String manager;
  private final List<Difference> found = new ArrayList<>();

  private FieldDifferences(ManagedFields managed, String manager) {
    this.managed = managed;
    this.manager = manager;
  }

  /**
   * A field that is not as the manifest says; never its value.
   *
   * @param manager the client that changed it; empty when the server does not say, as for a field
   *     that was removed
   */
  record Difference(ObjectField field, Optional<String> manager) {
    private static final int MOST_NAMED = 5;

    /** One sentence a client: {@code 'kubectl-edit' changed spec.replicas}. */
    static List<String> words(List<Difference> differences) {
      Map<String, List<String>> byClient = new LinkedHashMap<>();
      for (Difference each : differences) {
        byClient
            .computeIfAbsent(
                each.manager().map(name -> "'" + name + "' changed ").orElse("removed: "),
                _ -> new ArrayList<>())
            .add(each.field().toString());
      }
      return byClient.entrySet().stream().map(e -> e.getKey() + named(e.getValue())).toList();
    }

    private static String named(List<String> fields) {
      String named = String.join(", ", fields.stream().limit(MOST_NAMED).toList());
      int more = fields.size() - MOST_NAMED;
      return more > 0 ? named + " and " + more + " more" : named;
    }
  }

  /**
   * A place in the object.
   *
   * @param ours what we own below it; null when we do not own it
   * @param all the fields of all managers below it
   */
  private record Place(
      ObjectField field,
      @Nullable Map<String, Object> ours,
      Map<String, Object> all,
      Amounts amounts) {
    Place child(Part part, Amounts below) {
      String key = part.key();
      Object owned = ours == null ? null : ours.get(key);
      return new Place(
          field.child(part),
          owned == null ? null : Values.map(owned),
          Values.map(all.get(key)),
          below);
    }

    boolean atomic() {
      return AppliedFields.atomic(all);
    }

    Collection<String> keys() {
      return ours == null ? all.keySet() : ours.keySet();
    }
  }

  /** Whether values are amounts, which have several forms. */
  private enum Amounts {
    NO,
    YES;

    Amounts at(String field) {
      return AppliedFields.QUANTITIES.contains(field) ? YES : this;
    }
  }

  static List<Difference> of(Map<String, Object> manifest, ClusterObject live, String manager) {
    ManagedFields managed = ManagedFields.of(live);
    FieldDifferences all = new FieldDifferences(managed, manager);
    all.map(
        AppliedFields.withoutIdentity(manifest),
        live.content(),
        new Place(ObjectField.ROOT, managed.of(manager), managed.all(), Amounts.NO));
    return all.found;
  }

  private void value(@Nullable Object wanted, @Nullable Object live, Place place) {
    switch (wanted) {
      case Map<?, ?> map when live instanceof Map<?, ?> there && !place.atomic() ->
          map(Values.map(map), Values.map(there), place);
      case List<?> list when live instanceof List<?> there && !place.atomic() ->
          list(list, there, place);
      case null, default -> {
        if (!AppliedFields.equal(wanted, live, place.amounts() == Amounts.YES)) {
          differs(place);
        }
      }
    }
  }

  private void differs(Place place) {
    if (place.ours() == null) {
      found.add(new Difference(place.field(), managed.changedBy(place.field(), manager)));
    }
  }

  private void map(Map<String, Object> wanted, Map<String, Object> live, Place place) {
    wanted.forEach(
        (name, value) -> {
          Place below = place.child(new Named(name), place.amounts().at(name));
          Object there = live.get(name);
          if (there != null) {
            value(value, there, below);
          } else if (!empty(value)) {
            differs(below);
          }
        });
  }

  /** The server leaves out fields without content. */
  private static boolean empty(@Nullable Object value) {
    return value == null
        || value instanceof Map<?, ?> map && map.isEmpty()
        || value instanceof List<?> list && list.isEmpty();
  }

  private void list(List<?> wanted, List<?> live, Place place) {
    for (int i = 0; i < wanted.size(); i++) {
      Object item = wanted.get(i);
      String key = key(place, item);
      Place below = place.child(new Item(i, key), place.amounts());
      Optional<?> there = live.stream().filter(each -> AppliedFields.names(key, each)).findFirst();
      if (there.isEmpty()) {
        differs(below);
      } else if (key.startsWith("k:")) {
        value(item, there.get(), below);
      }
    }
  }

  /** By which managed fields name the item; one that no client owns is named by its name. */
  private static String key(Place place, @Nullable Object item) {
    return named(place.keys(), item)
        .or(() -> named(place.all().keySet(), item))
        .orElseGet(
            () ->
                item instanceof Map<?, ?> map && map.get("name") instanceof String name
                    ? "k:" + Json.write(Map.of("name", name))
                    : "");
  }

  private static Optional<String> named(Collection<String> keys, @Nullable Object item) {
    return keys.stream().filter(key -> AppliedFields.names(key, item)).findFirst();
  }
}
