package dev.slipway.postgres.access;

import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API keys and login sessions. Only the SHA-256 of a token is stored; a token of 256 random bits
 * needs no slow hash, so its owner is found with one index lookup.
 */
public final class Credentials {
  private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);

  /** The precision of a key's time of last use. */
  private static final Duration PRECISION = Duration.ofMinutes(1);

  private final Jdbi jdbi;

  public Credentials(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** A key as its owner sees it: the token itself is shown once, at its creation. */
  public record ApiKey(
      UUID id,
      String user,
      String name,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant lastUsedAt,
      @Nullable Instant revokedAt) {}

  /** The account of a token. {@code hash} is the stored one, for the constant-time comparison. */
  public record Owner(UUID id, byte[] hash, Account account) {}

  private static final String OWNER =
      """
      SELECT t.id, t.hash, u.name, u.display_name, u.disabled,
             u.password_hash IS NOT NULL AS has_password, u.version, u.created_at,
             coalesce((SELECT jsonb_agg(jsonb_build_array(b.team, b.role) ORDER BY b.team, b.role)
                         FROM role_bindings b WHERE b.user_name = u.name), '[]')::text AS memberships
      """;

  /** The owner of a valid API key. */
  public Optional<Owner> apiKeyOwner(byte[] hash, Instant now) {
    Optional<KeyUse> use =
        jdbi.withHandle(
            h ->
                h.createQuery(
                        OWNER
                            + """
                              , t.last_used_at IS NULL OR t.last_used_at < :minuteAgo AS stale
                              FROM api_keys t JOIN users u ON u.name = t.user_name
                             WHERE t.hash = :hash AND t.revoked_at IS NULL AND NOT u.disabled
                               AND (t.expires_at IS NULL OR t.expires_at > :now)
                            """)
                    .bind("hash", hash)
                    .bind("now", now)
                    .bind("minuteAgo", now.minus(PRECISION))
                    .map((rs, ctx) -> new KeyUse(owner(rs), rs.getBoolean("stale")))
                    .findOne());
    use.filter(KeyUse::stale).ifPresent(u -> used(u.owner().id(), now));
    return use.map(KeyUse::owner);
  }

  private record KeyUse(Owner owner, boolean stale) {}

  /** Updated once a minute, so that not every read becomes a write. */
  private void used(UUID key, Instant now) {
    try {
      jdbi.useHandle(
          h ->
              h.execute(
                  "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND"
                      + " (last_used_at IS NULL OR last_used_at < ?)",
                  now,
                  key,
                  now.minus(PRECISION)));
    } catch (JdbiException e) {
      // A read-only database can still authenticate.
      LOG.debug("when key {} was last used is not written: {}", key, e.getMessage());
    }
  }

  /** The owner of a session that has not expired. */
  public Optional<Owner> sessionOwner(byte[] hash, Instant now) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    OWNER
                        + """
                          FROM login_sessions t JOIN users u ON u.name = t.user_name
                         WHERE t.hash = :hash AND t.expires_at > :now AND NOT u.disabled
                        """)
                .bind("hash", hash)
                .bind("now", now)
                .map((rs, ctx) -> owner(rs))
                .findOne());
  }

  /** Why a token of an account is not valid. */
  public enum Denial {
    REVOKED,
    EXPIRED,
    ACCOUNT_DISABLED
  }

  /** A token of an account that is no longer valid. */
  public record Denied(String user, Denial reason) {}

  /** The account of an invalid token with this hash; empty when no account ever had it. */
  public Optional<Denied> denied(byte[] hash) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT u.name, u.disabled, t.revoked
                      FROM (SELECT user_name, revoked_at IS NOT NULL AS revoked
                              FROM api_keys WHERE hash = :hash
                             UNION ALL
                            SELECT user_name, false FROM login_sessions WHERE hash = :hash) t
                      JOIN users u ON u.name = t.user_name
                    """)
                .bind("hash", hash)
                .map((rs, ctx) -> new Denied(rs.getString("name"), denial(rs)))
                .findFirst());
  }

  private static Denial denial(ResultSet rs) throws SQLException {
    if (rs.getBoolean("revoked")) {
      return Denial.REVOKED;
    }
    return rs.getBoolean("disabled") ? Denial.ACCOUNT_DISABLED : Denial.EXPIRED;
  }

  /** Stores a new key. */
  public void addApiKey(ApiKey key, byte[] hash) {
    jdbi.useHandle(
        h ->
            h.execute(
                "INSERT INTO api_keys (id, user_name, name, hash, created_at, expires_at)"
                    + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
                key.id(),
                key.user(),
                key.name(),
                hash,
                key.createdAt(),
                key.expiresAt()));
  }

  /** The keys of an account, newest first, revoked ones included. */
  public Page<ApiKey> apiKeys(String user, @Nullable UUID after, int limit) {
    return jdbi.withHandle(
        h -> {
          long total =
              h.createQuery("SELECT count(*) FROM api_keys WHERE user_name = :user")
                  .bind("user", user)
                  .mapTo(Long.class)
                  .one();
          List<ApiKey> rows =
              h.createQuery(
                      "SELECT * FROM api_keys WHERE user_name = :user"
                          + " AND (:after::uuid IS NULL OR id < :after::uuid)"
                          + " ORDER BY id DESC LIMIT :limit")
                  .bind("user", user)
                  .bindByType("after", after, UUID.class)
                  .bind("limit", limit + 1)
                  .map((rs, ctx) -> apiKey(rs))
                  .list();
          return Page.of(rows, limit, total, key -> key.id().toString());
        });
  }

  /** Revokes a key of this account; false when it has no such active key. */
  public boolean revokeApiKey(String user, UUID id, Instant now) {
    return jdbi.withHandle(
            h ->
                h.execute(
                    "UPDATE api_keys SET revoked_at = ?"
                        + " WHERE id = ? AND user_name = ? AND revoked_at IS NULL",
                    now,
                    id,
                    user))
        == 1;
  }

  /** Stores a new login session and deletes expired ones. */
  public void addSession(UUID id, String user, byte[] hash, Instant now, Instant expiresAt) {
    jdbi.useTransaction(
        h -> {
          h.execute("DELETE FROM login_sessions WHERE expires_at <= ?", now);
          h.execute(
              "INSERT INTO login_sessions (id, user_name, hash, created_at, expires_at)"
                  + " VALUES (?, ?, ?, ?, ?)",
              id,
              user,
              hash,
              now,
              expiresAt);
        });
  }

  /** Ends a login session. */
  public void endSession(byte[] hash) {
    jdbi.useHandle(h -> h.execute("DELETE FROM login_sessions WHERE hash = ?", hash));
  }

  private static Owner owner(ResultSet rs) throws SQLException {
    return new Owner(rs.getObject("id", UUID.class), rs.getBytes("hash"), Accounts.account(rs));
  }

  private static ApiKey apiKey(ResultSet rs) throws SQLException {
    return new ApiKey(
        rs.getObject("id", UUID.class),
        rs.getString("user_name"),
        rs.getString("name"),
        Columns.time(rs, "created_at"),
        Columns.timeOrNull(rs, "expires_at"),
        Columns.timeOrNull(rs, "last_used_at"),
        Columns.timeOrNull(rs, "revoked_at"));
  }
}
