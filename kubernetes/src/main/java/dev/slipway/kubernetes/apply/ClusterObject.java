package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Values;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** An object as the API server gave it. */
public record ClusterObject(Map<String, Object> content) {
  /** Its metadata. */
  public Map<String, Object> metadata() {
    return Values.map(content.get("metadata"));
  }

  /** One of its annotations. */
  public Optional<String> annotation(String key) {
    return Optional.ofNullable(Values.map(metadata().get("annotations")).get(key))
        .map(String::valueOf);
  }

  public String uid() {
    return Objects.toString(metadata().get("uid"), "");
  }

  public String resourceVersion() {
    return Objects.toString(metadata().get("resourceVersion"), "");
  }

  /** The number of its spec; 0 for kinds that count none. */
  public long generation() {
    return metadata().get("generation") instanceof Number number ? number.longValue() : 0;
  }

  /** Whether it was deleted and waits for its finalizers. */
  public boolean terminating() {
    return metadata().get("deletionTimestamp") != null;
  }
}
