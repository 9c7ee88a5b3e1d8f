package dev.slipway.postgres.environments;

import dev.slipway.engine.access.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked about environments. Every caller sees the shared ones; one that belongs to a
 * team exists for callers who see that team.
 */
public interface Environments {

  /**
   * An environment as it is.
   *
   * @param team null when all teams share it
   * @param occupants how many objects the caller sees in it, by the plural of their kind
   */
  record View(
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
  enum Protection {
    OPEN,
    PROTECTED
  }

  /** Fields to set; empty ones stay as they are (or take their defaults in a new one). */
  record Settings(
      Optional<String> type,
      Optional<Duration> ttl,
      Optional<Instant> expiresAt,
      Optional<String> cluster,
      Optional<String> namespaceTemplate,
      Optional<Protection> protection,
      Optional<Map<String, Object>> variables,
      Optional<String> deletionPolicy) {}

  /** By name. */
  List<View> list(Caller caller);

  /** One of them. */
  View show(Caller caller, String name);

  /**
   * A new one. It belongs to the team of the caller ({@code team} chooses among several); one that
   * an operator makes without naming a team is shared.
   */
  View create(Caller caller, String name, Settings settings, Optional<String> team);

  /** Whether changes in it need an approved plan; also for one that does not exist yet. */
  boolean guarded(String name);

  /** Refuses a caller who may not start runs in it because it belongs to a team. */
  void enter(Caller caller, String name);

  /** Changes one; a new {@code ttl} counts from now. */
  View change(Caller caller, String name, Settings settings, Optional<Long> ifVersion);

  /** Whether what is inside is torn down too. */
  enum Cascade {
    REFUSE,
    TEAR_DOWN
  }

  /**
   * Deletes one. With something inside it is refused, or tears that down first when {@code confirm}
   * is its name; then it goes when the last of it has gone.
   */
  Deletion delete(
      Caller caller,
      String name,
      Cascade cascade,
      Optional<String> confirm,
      Optional<Long> ifVersion);

  /** Gone at once, or on its way. */
  enum Deletion {
    DELETED,
    TEARING_DOWN
  }
}
