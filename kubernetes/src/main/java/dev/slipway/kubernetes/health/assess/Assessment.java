package dev.slipway.kubernetes.health.assess;

import dev.slipway.engine.health.Health;
import dev.slipway.kubernetes.health.GroupKind;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The health of one manifest, as {@code slipway health assess} and the API write it.
 *
 * @param status empty when no rule is for its kind, or the rule says that it has none
 */
public record Assessment(
    String file, String apiVersion, String kind, String name, String status, String message) {
  private record Key(GroupKind kind, String namespace, String name) {}

  /** One for each object, in order. Rules that look at other objects find those of all files. */
  public static List<Assessment> of(List<ManifestFile> files, HealthRules rules) {
    Map<Key, LiveObject> all = new HashMap<>();
    files.stream().flatMap(file -> file.objects().stream()).forEach(o -> add(all, o));
    Neighbours others =
        (kind, namespace, name) -> Optional.ofNullable(all.get(new Key(kind, namespace, name)));
    return files.stream()
        .flatMap(
            file ->
                file.objects().stream()
                    .map(object -> of(file.name(), object, rules.judge(object, others))))
        .toList();
  }

  private static void add(Map<Key, LiveObject> all, LiveObject object) {
    Object namespace =
        object.fields().get("metadata") instanceof Map<?, ?> metadata
            ? metadata.get("namespace")
            : null;
    String text = namespace instanceof String given ? given : "";
    all.putIfAbsent(new Key(object.groupKind(), text, object.name()), object);
  }

  private static Assessment of(String file, LiveObject object, RuleVerdict verdict) {
    return new Assessment(
        file,
        object.apiVersion(),
        object.kind(),
        object.name(),
        verdict.health().map(ObjectHealth::status).map(Health::text).orElse(""),
        verdict.health().map(ObjectHealth::message).orElse(""));
  }
}
