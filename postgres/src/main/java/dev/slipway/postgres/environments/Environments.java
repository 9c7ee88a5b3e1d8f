package dev.slipway.postgres.environments;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What callers say about environments, and what they get. */
public final class Environments {
  private Environments() {}

  /**
   * An environment as it is.
   *
   * @param team null when all teams share it
   * @param occupants how many objects the caller sees in it, by the plural of their kind
   */
  public record View(
      String name,
      @Nullable String team,
      String type,
      @Nullable Duration ttl,
      @Nullable Instant expiresAt,
      @Nullable String cluster,
      @Nullable String namespaceTemplate,
      Protection protection,
      Map<String, Object> variables,
      @Nullable String deletionPolicy,
      Map<String, Integer> occupants,
      long version,
      Instant createdAt,
      Instant updatedAt) {}

  /** Whether every deployment and teardown waits for an approval. */
  public enum Protection {
    OPEN,
    PROTECTED
  }

  /** Fields to set; empty ones stay as they are (or take their defaults in a new one). */
  public record Settings(
      Optional<String> type,
      Optional<Duration> ttl,
      Optional<Instant> expiresAt,
      Optional<String> cluster,
      Optional<String> namespaceTemplate,
      Optional<Protection> protection,
      Optional<Map<String, Object>> variables,
      Optional<String> deletionPolicy) {}

  /** Whether what is inside is torn down too. */
  public enum Cascade {
    REFUSE,
    TEAR_DOWN
  }

  /** Gone at once, or on its way. */
  public enum Deletion {
    DELETED,
    TEARING_DOWN
  }
}
