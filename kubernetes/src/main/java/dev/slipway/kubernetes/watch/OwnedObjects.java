package dev.slipway.kubernetes.watch;

import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.watch.OwnedChange.What;
import dev.slipway.kubernetes.watch.WatchedObject.Mark;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The owned objects of one kind as a watch has seen them. Written by the thread of the watch, read
 * by all; a change is kept before listeners are called.
 */
final class OwnedObjects {
  private final ApiKind kind;
  private final Mark mark;
  private final Consumer<OwnedChange> changes;
  private final Map<String, WatchedObject> byName = new ConcurrentHashMap<>();
  private boolean listed;

  OwnedObjects(ApiKind kind, Mark mark, Consumer<OwnedChange> changes) {
    this.kind = kind;
    this.mark = mark;
    this.changes = changes;
  }

  int size() {
    return byName.size();
  }

  static String name(Optional<String> namespace, String name) {
    return namespace.map(n -> n + "/").orElse("") + name;
  }

  private static String name(Map<String, Object> content) {
    Map<String, Object> metadata = Values.map(content.get("metadata"));
    return name(
        Optional.ofNullable(metadata.get("namespace")).map(Object::toString),
        Objects.toString(metadata.get("name"), ""));
  }

  Optional<WatchedObject> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  void put(Map<String, Object> content, HealthRules rules) {
    String name = name(content);
    WatchedObject now = seen(content, rules);
    WatchedObject before = byName.put(name, now);
    if (before != null) {
      before.changedTo(now).ifPresent(what -> tell(now.owner(), name, what));
    }
  }

  void remove(Map<String, Object> content) {
    String name = name(content);
    WatchedObject before = byName.remove(name);
    if (before != null) {
      tell(before.owner(), name, What.DELETED);
    }
  }

  /** Items of lists do not say what they are. */
  private WatchedObject seen(Map<String, Object> content, HealthRules rules) {
    Map<String, Object> whole = new LinkedHashMap<>(content);
    whole.put("apiVersion", kind.apiVersion());
    whole.put("kind", kind.kind());
    return WatchedObject.of(whole, mark, rules);
  }

  private void tell(String owner, String name, What what) {
    changes.accept(new OwnedChange(owner, kind, name, what));
  }

  /** Begins to take a whole list. */
  Listing listing() {
    return new Listing();
  }

  /** A list, page by page. It counts when it is complete. */
  final class Listing {
    private final Map<String, WatchedObject> found = new HashMap<>();

    void add(Map<String, Object> content, HealthRules rules) {
      found.put(name(content), seen(content, rules));
    }

    /** Takes the list over; what differs from before has happened meanwhile. */
    void finish() {
      Map<String, WatchedObject> before = new HashMap<>(byName);
      byName.keySet().retainAll(found.keySet());
      byName.putAll(found);
      if (listed) {
        before.forEach(this::compare);
      }
      listed = true;
    }

    private void compare(String name, WatchedObject before) {
      WatchedObject now = found.get(name);
      Optional<What> what = now == null ? Optional.of(What.DELETED) : before.missedChange(now);
      what.ifPresent(change -> tell(before.owner(), name, change));
    }
  }
}
