package dev.slipway.steps.kubernetes;

import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.OutputParser;
import dev.slipway.engine.workflow.Step;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.ObjectRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What steps put out about the objects that they worked on. */
final class ObjectOutputs {
  private static final Set<String> REFERENCES =
      Set.of("secretKeyRef", "secretRef", "secret", "secretName", "imagePullSecrets");

  private final Map<ObjectRef, Optional<ClusterObject>> objects = new LinkedHashMap<>();
  private boolean changed;

  void add(ObjectRef ref, ClusterObject object) {
    objects.put(ref, Optional.of(object));
  }

  /** An object that is gone. */
  void gone(ObjectRef ref) {
    objects.put(ref, Optional.empty());
  }

  void changed() {
    changed = true;
  }

  /** The outputs, and what the step captures of the first object. */
  Map<String, Object> of(Step step) {
    Map<String, Object> out = new LinkedHashMap<>();
    List<Object> list = new ArrayList<>();
    objects.forEach((ref, object) -> list.add(summary(ref, object)));
    out.put("objects", list);
    out.put("kinds", objects.keySet().stream().map(ref -> ref.kind().kind()).distinct().toList());
    out.put("changed", changed);
    out.put("endpoint", endpoint());
    objects.entrySet().stream()
        .findFirst()
        .ifPresent(first -> first(step, first.getKey(), first.getValue(), out));
    return out;
  }

  private static void first(
      Step step, ObjectRef ref, Optional<ClusterObject> object, Map<String, Object> out) {
    out.putAll(summary(ref, object));
    out.remove("apiVersion");
    out.remove("kind");
    if (object.isPresent()) {
      out.put("object", shown(ref, object.get()));
      out.putAll(
          OutputParser.parse(
              step, new OutputParser.Material("", null, null, object.get().content())));
    }
  }

  /** The outputs that are secret: everything that is captured from a Secret. */
  Set<String> secrets(Step step) {
    boolean secret =
        objects.keySet().stream().findFirst().filter(ObjectOutputs::secret).isPresent();
    return secret ? new LinkedHashSet<>(step.capture().keySet()) : Set.of();
  }

  private static boolean secret(ObjectRef ref) {
    return ref.kind().granted().equals("Secret");
  }

  private static Map<String, Object> summary(ObjectRef ref, Optional<ClusterObject> object) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("apiVersion", ref.kind().apiVersion());
    out.put("kind", ref.kind().kind());
    out.put("name", ref.name());
    out.put("namespace", ref.namespace().orElse(null));
    out.put("uid", object.map(ClusterObject::uid).orElse(null));
    out.put("generation", object.map(ClusterObject::generation).orElse(null));
    return out;
  }

  private static Map<String, Object> shown(ObjectRef ref, ClusterObject object) {
    Map<String, Object> shown = new LinkedHashMap<>(object.content());
    Map<String, Object> metadata = new LinkedHashMap<>(object.metadata());
    metadata.remove("managedFields");
    if (secret(ref)) {
      shown.remove("data");
      metadata.remove("annotations"); // kubectl keeps a copy of the whole object there
    }
    shown.put("metadata", metadata);
    shown.computeIfPresent("spec", (_, spec) -> withoutReferences(spec));
    return shown;
  }

  /**
   * Pods without their references to Secrets: a value below a key that says secret counts as one,
   * and the name of a Secret is often the name of everything beside it.
   */
  private static Object withoutReferences(Object spec) {
    if (!(spec instanceof Map<?, ?> map)) {
      return spec;
    }
    Map<String, Object> out = new LinkedHashMap<>(Values.map(map));
    out.computeIfPresent("template", (_, template) -> unreferenced(template));
    return out;
  }

  private static @Nullable Object unreferenced(@Nullable Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> out = new LinkedHashMap<>();
        Values.map(map)
            .forEach(
                (key, value) -> {
                  if (!REFERENCES.contains(key)) {
                    out.put(key, unreferenced(value));
                  }
                });
        yield out;
      }
      case List<?> list -> {
        List<@Nullable Object> out = new ArrayList<>();
        list.forEach(item -> out.add(unreferenced(item)));
        yield out;
      }
      case null, default -> tree;
    };
  }

  private @Nullable String endpoint() {
    return objects.entrySet().stream()
        .flatMap(e -> e.getValue().stream().map(object -> endpoint(e.getKey(), object)))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String endpoint(ObjectRef ref, ClusterObject object) {
    Map<String, Object> status = Values.map(object.content().get("status"));
    if (status.get("endpoint") instanceof String text && !text.isBlank()) {
      return text;
    }
    if (Values.map(status.get("loadBalancer")).get("ingress") instanceof List<?> list
        && !list.isEmpty()) {
      Map<String, Object> first = Values.map(list.getFirst());
      Object address = first.getOrDefault("hostname", first.get("ip"));
      return address == null ? null : String.valueOf(address);
    }
    return ref.kind().granted().equals("Service")
        ? ref.name() + "." + ref.namespace().orElse("default") + ".svc"
        : null;
  }
}
