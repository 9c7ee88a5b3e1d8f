package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One document that is to be applied, with its place in the cluster.
 *
 * @param ref the object that it describes
 */
public record Manifest(ObjectRef ref, RenderedManifest document) {
  /** What is applied: the document with its namespace and the stamp. */
  Map<String, Object> stamped(Stamp stamp, Stamp.Verdict verdict) {
    Map<String, Object> content = new LinkedHashMap<>(document.content());
    content.remove("status");
    encode(content);
    Map<String, Object> metadata = new LinkedHashMap<>(Values.map(content.get("metadata")));
    ref.namespace().ifPresent(namespace -> metadata.put("namespace", namespace));
    metadata.put("labels", with(metadata.get("labels"), stamp.labels()));
    metadata.put("annotations", with(metadata.get("annotations"), stamp.annotations(verdict)));
    content.put("metadata", metadata);
    return content;
  }

  private static Map<String, Object> with(
      @org.jspecify.annotations.Nullable Object written, Map<String, String> ours) {
    Map<String, Object> all = new LinkedHashMap<>(Values.map(written));
    all.putAll(ours);
    return all;
  }

  /** Plain texts of a Secret become its data, whose owner the server records. */
  private static void encode(Map<String, Object> content) {
    if (!"Secret".equals(content.get("kind")) || !"v1".equals(content.get("apiVersion"))) {
      return;
    }
    if (content.remove("stringData") instanceof Map<?, ?> texts) {
      Map<String, Object> data = new LinkedHashMap<>(Values.map(content.get("data")));
      texts.forEach(
          (key, value) ->
              data.put(
                  String.valueOf(key),
                  Base64.getEncoder()
                      .encodeToString(String.valueOf(value).getBytes(StandardCharsets.UTF_8))));
      content.put("data", data);
    }
  }

  /** Where a field was written, such as {@code spec.ports[0].port}. */
  Optional<String> place(String field) {
    return document.place(FieldPath.parse(field, document.content()));
  }
}
