package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The values in the Secrets that a step applies: an API server may quote them in its refusals. */
final class SecretValues {
  private SecretValues() {}

  /** The secrets of the run, and these. */
  static Secrets with(StepCall call) {
    List<String> values = new ArrayList<>();
    if (call.config().get("manifest") instanceof List<?> documents) {
      documents.stream()
          .map(RenderedManifest.class::cast)
          .map(RenderedManifest::content)
          .filter(content -> "Secret".equals(content.get("kind")))
          .forEach(content -> add(content, values));
    }
    return values.isEmpty() ? call.secrets() : call.secrets().plus(values);
  }

  private static void add(Map<String, Object> content, List<String> values) {
    Values.map(content.get("stringData")).values().forEach(v -> values.add(String.valueOf(v)));
    for (Object value : Values.map(content.get("data")).values()) {
      String text = String.valueOf(value);
      values.add(text);
      try {
        values.add(
            new String(Base64.getDecoder().decode(text), java.nio.charset.StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        continue; // no base64: the server refuses it
      }
    }
  }
}
