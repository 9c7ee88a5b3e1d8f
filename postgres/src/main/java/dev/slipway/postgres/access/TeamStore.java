package dev.slipway.postgres.access;

import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Teams own objects of branches; accounts have roles in them. */
public final class TeamStore {
  private final Jdbi jdbi;
  private final List<Owned> owned;

  /** A team is not deleted while a branch has objects of it. */
  public TeamStore(Jdbi jdbi, List<Owned> owned) {
    this.jdbi = jdbi;
    this.owned = List.copyOf(owned);
  }

  /** Whether a branch has objects of a team. */
  public interface Owned {
    boolean by(Handle tx, String team);
  }

  /** A team, with the roles of its members. */
  public record Team(String name, String description, List<Member> members, Instant createdAt) {}

  /** An account's role in a team. */
  public record Member(String user, Role role) {}

  /** The result of deleting a team. */
  public enum Removal {
    REMOVED,
    UNKNOWN,
    /** It still owns objects of a branch. */
    IN_USE
  }

  /** The team of that name with its members. */
  public Optional<Team> find(String name) {
    return jdbi.withHandle(
        h -> {
          List<Member> members =
              h.createQuery(
                      "SELECT user_name, role FROM role_bindings WHERE team = :team"
                          + " ORDER BY user_name, role")
                  .bind("team", name)
                  .map((rs, ctx) -> member(rs))
                  .list();
          return h.createQuery("SELECT name, description, created_at FROM teams WHERE name = :name")
              .bind("name", name)
              .map((rs, ctx) -> team(rs, members))
              .findOne();
        });
  }

  /** The teams among {@code visible} (all when null) by name, without their members. */
  public Page<Team> list(@Nullable Collection<String> visible, @Nullable String after, int limit) {
    String[] names = visible == null ? null : visible.toArray(String[]::new);
    String where = " FROM teams WHERE (:visible::text[] IS NULL OR name = ANY(:visible::text[]))";
    return jdbi.withHandle(
        h -> {
          long total =
              h.createQuery("SELECT count(*)" + where)
                  .bindByType("visible", names, String[].class)
                  .mapTo(Long.class)
                  .one();
          List<Team> rows =
              h.createQuery(
                      "SELECT name, description, created_at"
                          + where
                          + " AND name > :after ORDER BY name LIMIT :limit")
                  .bindByType("visible", names, String[].class)
                  .bind("after", after == null ? "" : after)
                  .bind("limit", limit + 1)
                  .map((rs, ctx) -> team(rs, List.of()))
                  .list();
          return Page.of(rows, limit, total, Team::name);
        });
  }

  /** Creates a team; false when the name is taken. */
  public boolean create(String name, String description, Instant now) {
    return jdbi.withHandle(
            h ->
                h.execute(
                    "INSERT INTO teams (name, description, created_at) VALUES (?, ?, ?)"
                        + " ON CONFLICT DO NOTHING",
                    name,
                    description,
                    now))
        == 1;
  }

  /** Gives an account a role in a team; false when there is no such account. */
  public boolean join(String team, Member member) {
    return jdbi.inTransaction(
        h -> {
          int known =
              h.execute("UPDATE users SET version = version + 1 WHERE name = ?", member.user());
          if (known == 1) {
            h.execute(
                "INSERT INTO role_bindings (user_name, team, role) VALUES (?, ?, ?)"
                    + " ON CONFLICT DO NOTHING",
                member.user(),
                team,
                member.role().text());
          }
          return known == 1;
        });
  }

  /** Removes all roles of an account in a team; false when it had none. */
  public boolean leave(String team, String user) {
    return jdbi.inTransaction(
        h -> {
          h.execute("UPDATE users SET version = version + 1 WHERE name = ?", user);
          return h.execute("DELETE FROM role_bindings WHERE team = ? AND user_name = ?", team, user)
              > 0;
        });
  }

  /** Deletes a team that owns nothing. */
  public Removal delete(String name) {
    return jdbi.inTransaction(
        h -> {
          if (owned.stream().anyMatch(branch -> branch.by(h, name))) {
            return Removal.IN_USE;
          }
          h.execute("DELETE FROM role_bindings WHERE team = ?", name);
          return h.execute("DELETE FROM teams WHERE name = ?", name) == 1
              ? Removal.REMOVED
              : Removal.UNKNOWN;
        });
  }

  private static Member member(ResultSet rs) throws SQLException {
    return new Member(rs.getString("user_name"), Role.named(rs.getString("role")).orElseThrow());
  }

  private static Team team(ResultSet rs, List<Member> members) throws SQLException {
    return new Team(
        rs.getString("name"), rs.getString("description"), members, Columns.time(rs, "created_at"));
  }
}
