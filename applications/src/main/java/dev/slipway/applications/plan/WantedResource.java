package dev.slipway.applications.plan;

import dev.slipway.applications.score.Sharing;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.intake.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resource as it is asked for. In {@code params} only placeholders of resources are left, and
 * secrets are sealed; null when the document has none, which matters for shared resources.
 */
public record WantedResource(
    String name,
    String identity,
    String type,
    String resourceClass,
    @Nullable Map<String, @Nullable Object> params,
    @Nullable Map<String, @Nullable Object> metadata,
    Set<String> dependsOn,
    List<String> tags,
    Optional<DeletionPolicy> deletionPolicy,
    Sharing sharing,
    Optional<String> sharedFrom,
    Origin origin) {

  /** Who asks for it. */
  public enum Origin {
    /** The document names it. */
    WRITTEN,
    /** The workload itself, because a provider takes workloads. */
    IMPLICIT
  }

  /** The params, empty when there are none. */
  public Map<String, @Nullable Object> paramsOrEmpty() {
    return params == null ? Map.of() : params;
  }

  /** Where it stands in the document. */
  public Path path() {
    return origin == Origin.WRITTEN ? Path.of("resources", name) : Path.of("containers");
  }
}
