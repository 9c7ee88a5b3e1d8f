package dev.slipway.engine.plan;

import org.jspecify.annotations.Nullable;

/**
 * One field of a resource's params before and after; null when it was or will not be there. Secrets
 * are masked; what is only known later is {@link #LATER}.
 */
public record FieldChange(String path, Kind kind, @Nullable Object before, @Nullable Object after) {
  /** Stands for a value that is not known yet. */
  public static final String LATER = "(known after deploy)";

  /** What happens to the field. */
  public enum Kind {
    ADDED,
    REMOVED,
    CHANGED
  }
}
