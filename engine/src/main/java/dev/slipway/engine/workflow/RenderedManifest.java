package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One document of a manifest with its values.
 *
 * @param content what is sent to the cluster
 * @param written the text that it was read from, for positions in messages; empty for a manifest
 *     that was written as a map
 */
public record RenderedManifest(Map<String, Object> content, Optional<Document> written) {
  /** Where the value at this path was written: {@code manifest:12:9}. */
  public Optional<String> place(Path path) {
    return written.map(
        document -> {
          Position at = document.at(path).isPresent() ? document.keyPosition(path) : near(path);
          return document.file() + ":" + at;
        });
  }

  /** For people: the values of a Secret are left out. */
  public Map<String, Object> readable() {
    if (!"Secret".equals(content.get("kind"))) {
      return content;
    }
    Map<String, Object> shown = new LinkedHashMap<>(content);
    for (String field : List.of("data", "stringData")) {
      shown.computeIfPresent(
          field,
          (_, values) -> {
            Map<String, Object> masked = new LinkedHashMap<>();
            Values.map(values).keySet().forEach(key -> masked.put(key, Sealed.MASK));
            return masked;
          });
    }
    return shown;
  }

  private Position near(Path path) {
    return written.orElseThrow().position(path);
  }
}
