package dev.slipway.applications.observe;

import dev.slipway.engine.intake.Words;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What follows from drift of one resource: what its annotation says, else the configuration. */
public final class DriftPolicy {
  /** In the metadata of a resource in a document. */
  public static final String ANNOTATION = "slipway.dev/drift";

  private DriftPolicy() {}

  /** What is written, unless it is none of the words. */
  public static Optional<Observe.Drift> parse(String word) {
    return Optional.ofNullable(Words.of(Observe.Drift.class).get(word));
  }

  /** For a resource with that annotation, or without one. */
  public static Observe.Drift of(@Nullable String written, Observe.Drift usual) {
    return Optional.ofNullable(written).flatMap(DriftPolicy::parse).orElse(usual);
  }

  /** For a resource with that metadata. */
  public static Observe.Drift of(Map<String, @Nullable Object> metadata, Observe.Drift usual) {
    return of(
        metadata.get("annotations") instanceof Map<?, ?> annotations
                && annotations.get(ANNOTATION) instanceof String word
            ? word
            : null,
        usual);
  }
}
