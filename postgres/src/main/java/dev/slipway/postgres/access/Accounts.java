package dev.slipway.postgres.access;

import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Accounts, their passwords (as hashes) and their roles in teams. */
public final class Accounts {
  private static final String SELECT =
      """
      SELECT u.name, u.display_name, u.disabled, u.password_hash IS NOT NULL AS has_password,
             u.version, u.created_at,
             coalesce((SELECT jsonb_agg(jsonb_build_array(b.team, b.role) ORDER BY b.team, b.role)
                         FROM role_bindings b WHERE b.user_name = u.name), '[]')::text AS memberships
        FROM users u
      """;

  private final Jdbi jdbi;

  public Accounts(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The account of that name. */
  public Optional<Account> find(String name) {
    return jdbi.withHandle(h -> find(h, name));
  }

  private static Optional<Account> find(Handle handle, String name) {
    return handle
        .createQuery(SELECT + " WHERE u.name = :name")
        .bind("name", name)
        .map((rs, ctx) -> account(rs))
        .findOne();
  }

  /** Accounts by name, those after {@code after} first. */
  public Page<Account> list(@Nullable String after, int limit) {
    return jdbi.withHandle(
        h -> {
          long total = h.createQuery("SELECT count(*) FROM users").mapTo(Long.class).one();
          List<Account> rows =
              h.createQuery(SELECT + " WHERE u.name > :after ORDER BY u.name LIMIT :limit")
                  .bind("after", after == null ? "" : after)
                  .bind("limit", limit + 1)
                  .map((rs, ctx) -> account(rs))
                  .list();
          return Page.of(rows, limit, total, Account::name);
        });
  }

  /** Creates an account unless the name is taken. */
  public Creation create(
      String name,
      String displayName,
      @Nullable String passwordHash,
      Collection<Membership> memberships,
      Instant now) {
    return jdbi.inTransaction(
        h -> {
          int rows =
              h.createUpdate(
                      "INSERT INTO users (name, display_name, password_hash, created_at)"
                          + " VALUES (:name, :display, :hash, :now) ON CONFLICT DO NOTHING")
                  .bind("name", name)
                  .bind("display", displayName)
                  .bind("hash", passwordHash)
                  .bind("now", now)
                  .execute();
          if (rows == 0) {
            return Creation.TAKEN;
          }
          bind(h, name, memberships);
          return Creation.CREATED;
        });
  }

  /** Whether the name was free. */
  public enum Creation {
    CREATED,
    TAKEN
  }

  /** The changes to make; null leaves a field as it is. */
  public record Change(
      @Nullable String displayName,
      Account.@Nullable Status status,
      @Nullable String passwordHash,
      @Nullable List<Membership> memberships) {}

  /** Changes an account if it still has that version; empty if it has another one or is deleted. */
  public Optional<Account> change(String name, long version, Change change) {
    return jdbi.inTransaction(
        h -> {
          int rows =
              h.createUpdate(
                      """
                      UPDATE users SET display_name = coalesce(:display, display_name),
                             disabled = coalesce(:disabled, disabled),
                             password_hash = coalesce(:hash, password_hash),
                             version = version + 1
                       WHERE name = :name AND version = :version
                      """)
                  .bind("display", change.displayName())
                  .bind(
                      "disabled",
                      change.status() == null ? null : change.status() == Account.Status.DISABLED)
                  .bind("hash", change.passwordHash())
                  .bind("name", name)
                  .bind("version", version)
                  .execute();
          if (rows == 0) {
            return Optional.<Account>empty();
          }
          if (change.memberships() != null) {
            h.execute("DELETE FROM role_bindings WHERE user_name = ?", name);
            bind(h, name, change.memberships());
          }
          if (change.passwordHash() != null || change.status() == Account.Status.DISABLED) {
            h.execute("DELETE FROM login_sessions WHERE user_name = ?", name);
          }
          return find(h, name);
        });
  }

  /** Deletes an account with its keys and sessions; its audit entries stay. */
  public boolean delete(String name) {
    return jdbi.withHandle(h -> h.execute("DELETE FROM users WHERE name = ?", name)) == 1;
  }

  /** The password hash of an account that may sign in. */
  public Optional<String> passwordHash(String name) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    "SELECT password_hash FROM users"
                        + " WHERE name = :name AND NOT disabled AND password_hash IS NOT NULL")
                .bind("name", name)
                .mapTo(String.class)
                .findOne());
  }

  private static void bind(Handle handle, String name, Collection<Membership> memberships) {
    for (Membership membership : memberships) {
      handle.execute(
          "INSERT INTO role_bindings (user_name, team, role) VALUES (?, ?, ?)"
              + " ON CONFLICT DO NOTHING",
          name,
          membership.team(),
          membership.role().text());
    }
  }

  static Account account(ResultSet rs) throws SQLException {
    return new Account(
        rs.getString("name"),
        rs.getString("display_name"),
        rs.getBoolean("disabled") ? Account.Status.DISABLED : Account.Status.ENABLED,
        rs.getBoolean("has_password"),
        memberships(rs.getString("memberships")),
        rs.getLong("version"),
        Columns.time(rs, "created_at"));
  }

  private static List<Membership> memberships(String json) {
    List<Membership> out = new ArrayList<>();
    if (Json.readMap("{\"all\":" + json + "}") instanceof Map<String, Object> map
        && map.get("all") instanceof List<?> pairs) {
      for (Object pair : pairs) {
        List<?> parts = (List<?>) pair;
        Role role = Role.named((String) parts.get(1)).orElseThrow();
        out.add(new Membership((String) parts.get(0), role));
      }
    }
    return List.copyOf(out);
  }
}
