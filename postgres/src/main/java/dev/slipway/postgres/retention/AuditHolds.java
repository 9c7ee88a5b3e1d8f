package dev.slipway.postgres.retention;

import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Legal holds: they keep audit entries beyond their retention. A hold is effective once it is set:
 * setting and lifting take the lock under which retention deletes entries, so no batch that has not
 * seen the hold deletes anything after it was set.
 */
public final class AuditHolds {
  private final Jdbi jdbi;

  public AuditHolds(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The entries that are kept; null does not filter. An object includes everything below it. */
  public record Scope(
      @Nullable String team,
      @Nullable String object,
      @Nullable Instant from,
      @Nullable Instant until) {}

  /** A hold, in force or lifted. */
  public record Hold(
      UUID id,
      String reason,
      Scope scope,
      String createdBy,
      Instant createdAt,
      @Nullable String liftedBy,
      @Nullable Instant liftedAt) {}

  /** Sets a hold. */
  public void set(Hold hold) {
    jdbi.useTransaction(
        h -> {
          exclude(h);
          h.execute(
              "INSERT INTO audit_holds (id, reason, team, object, from_at, until_at, created_by,"
                  + " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
              hold.id(),
              hold.reason(),
              hold.scope().team(),
              hold.scope().object(),
              hold.scope().from(),
              hold.scope().until(),
              hold.createdBy(),
              hold.createdAt());
        });
  }

  /** Lifts a hold; empty when there is none of that id, unchanged when it was already lifted. */
  public Optional<Hold> lift(UUID id, String user, Instant now) {
    return jdbi.inTransaction(
        h -> {
          exclude(h);
          h.execute(
              "UPDATE audit_holds SET lifted_by = ?, lifted_at = ?"
                  + " WHERE id = ? AND lifted_at IS NULL",
              user,
              now,
              id);
          return h.createQuery("SELECT * FROM audit_holds WHERE id = ?")
              .bind(0, id)
              .map((rs, _) -> hold(rs))
              .findOne();
        });
  }

  /** Holds in force, then lifted ones, each newest first. */
  public List<Hold> all() {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    "SELECT * FROM audit_holds ORDER BY lifted_at IS NOT NULL, id DESC LIMIT 1000")
                .map((rs, _) -> hold(rs))
                .list());
  }

  private static void exclude(Handle handle) {
    handle.execute("SELECT pg_advisory_xact_lock(?)", Sweeper.LOCK);
  }

  private static Hold hold(ResultSet rs) throws SQLException {
    return new Hold(
        rs.getObject("id", UUID.class),
        rs.getString("reason"),
        new Scope(
            rs.getString("team"),
            rs.getString("object"),
            Columns.timeOrNull(rs, "from_at"),
            Columns.timeOrNull(rs, "until_at")),
        rs.getString("created_by"),
        Columns.time(rs, "created_at"),
        rs.getString("lifted_by"),
        Columns.timeOrNull(rs, "lifted_at"));
  }
}
