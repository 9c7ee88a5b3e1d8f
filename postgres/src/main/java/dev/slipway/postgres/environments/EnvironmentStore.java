package dev.slipway.postgres.environments;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.NamespaceTemplate;
import dev.slipway.postgres.Transactions;
import dev.slipway.postgres.environments.Environments.Cascade;
import dev.slipway.postgres.environments.Environments.Deletion;
import dev.slipway.postgres.environments.Environments.Protection;
import dev.slipway.postgres.environments.Environments.Settings;
import dev.slipway.postgres.environments.Environments.View;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementException;
import org.jspecify.annotations.Nullable;

/** Environments in PostgreSQL. */
public final class EnvironmentStore {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");
  private static final String FOREIGN_KEY_VIOLATION = "23503";

  /** What it stands on. */
  public record Parts(
      Transactions transactions,
      Supplier<AdminConfig> config,
      SecretBox box,
      InstantSource clock) {}

  private final Parts parts;
  private final Transactions transactions;
  private final List<Occupant> occupants;

  /** With what branches keep in environments. */
  public EnvironmentStore(Parts parts, List<Occupant> occupants) {
    this.parts = parts;
    this.transactions = parts.transactions();
    this.occupants = List.copyOf(occupants);
  }

  /** By name. */
  public List<View> list(Caller caller) {
    return transactions.read(
        h ->
            h
                .createQuery(
                    "SELECT " + EnvironmentRow.COLUMNS + " FROM environments ORDER BY name")
                .map((rs, _) -> EnvironmentRow.map(rs))
                .list()
                .stream()
                .filter(row -> EnvironmentAccess.sees(caller, row))
                .map(row -> view(h, caller, row))
                .toList());
  }

  /** One of them. */
  public View show(Caller caller, String name) {
    return transactions.read(h -> view(h, caller, find(h, caller, name)));
  }

  /**
   * A new one. It belongs to the team of the caller ({@code team} chooses among several); one that
   * an operator makes without naming a team is shared.
   */
  public View create(Caller caller, String name, Settings settings, Optional<String> team) {
    allowed(name);
    check(name, settings);
    @Nullable String owner = EnvironmentAccess.owner(parts.config().get(), caller, name, team);
    return transactions.run(
        h -> {
          Instant now = parts.clock().instant();
          int made =
              h.execute(
                  "INSERT INTO environments (name, team, created_at, updated_at)"
                      + " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                  name,
                  owner,
                  now,
                  now);
          if (made == 0) {
            EnvironmentRow.find(h, name).ifPresent(row -> EnvironmentAccess.enter(caller, row));
            throw RefusedException.conflict(
                "already-exists",
                "there is an environment '" + name + "' already",
                "Change it instead: PATCH /api/environments/" + name);
          }
          write(h, name, settings);
          return view(h, caller, find(h, caller, name));
        });
  }

  /** Refuses a caller who may not start runs in it because it belongs to a team. */
  public void enter(Caller caller, String name) {
    transactions
        .read(h -> EnvironmentRow.find(h, name))
        .ifPresent(environment -> EnvironmentAccess.enter(caller, environment));
  }

  /** Whether changes in it need an approved plan; also for one that does not exist yet. */
  public boolean guarded(String name) {
    return transactions.read(h -> EnvironmentRow.guarded(h, parts.config().get(), name));
  }

  /** Changes one; a new {@code ttl} counts from now. */
  public View change(Caller caller, String name, Settings settings, Optional<Long> ifVersion) {
    check(name, settings);
    return transactions.run(
        h -> {
          EnvironmentRow row = locked(h, caller, name, ifVersion);
          change(h, caller, row);
          keepNamespaces(h, row, settings);
          write(h, row.name(), settings);
          return view(h, caller, find(h, caller, name));
        });
  }

  /** Refuses a caller who may not change, extend or delete it. */
  private void change(Handle handle, Caller caller, EnvironmentRow row) {
    if (row.guarded(parts.config().get())) {
      EnvironmentAccess.operate(caller, row);
    }
    EnvironmentAccess.change(
        caller,
        row,
        () ->
            occupants.stream()
                .flatMap(o -> o.teams(handle, row.name()).stream())
                .collect(Collectors.toSet()));
  }

  private static Optional<Instant> expiry(Settings settings, Instant now) {
    return settings.expiresAt().or(() -> settings.ttl().map(now::plus));
  }

  private void write(Handle handle, String name, Settings settings) {
    Instant now = parts.clock().instant();
    @Nullable Duration ttl = settings.ttl().orElse(null);
    @Nullable Instant expires = expiry(settings, now).orElse(null);
    handle
        .createUpdate(
            """
            UPDATE environments
               SET type = coalesce(:type, type),
                   ttl = coalesce(make_interval(secs => :ttl), ttl),
                   expires_at = coalesce(:expires, expires_at),
                   expiry_announced = expiry_announced AND CAST(:expires AS timestamptz) IS NULL,
                   cluster = coalesce(:cluster, cluster),
                   namespace_template = nullif(coalesce(:namespace, namespace_template), ''),
                   protected = coalesce(:protected, protected),
                   variables = coalesce(CAST(:variables AS jsonb), variables),
                   deletion_policy = coalesce(:policy, deletion_policy),
                   version = version + 1, updated_at = :now
             WHERE name = :name
            """)
        .bind("name", name)
        .bind("type", settings.type().orElse(null))
        .bind("ttl", ttl == null ? null : ttl.toMillis() / 1000.0)
        .bindByType("expires", expires, Instant.class)
        .bind("cluster", settings.cluster().orElse(null))
        .bind("namespace", settings.namespaceTemplate().orElse(null))
        .bindByType(
            "protected",
            settings.protection().map(p -> p == Protection.PROTECTED).orElse(null),
            Boolean.class)
        .bind("variables", settings.variables().map(v -> Json.write(sealed(name, v))).orElse(null))
        .bind("policy", settings.deletionPolicy().orElse(null))
        .bind("now", now)
        .execute();
  }

  /**
   * Deletes one. With something inside it is refused, or tears that down first when {@code confirm}
   * is its name; then it goes when the last of it has gone.
   */
  public Deletion delete(
      Caller caller,
      String name,
      Cascade cascade,
      Optional<String> confirm,
      Optional<Long> ifVersion) {
    return transactions.run(
        h -> {
          EnvironmentRow row = locked(h, caller, name, ifVersion);
          if (row.name().equals("default")) {
            throw RefusedException.conflict(
                "default-environment", "the environment 'default' always exists", null);
          }
          change(h, caller, row);
          List<String> inside = inside(h, name, Integer.MAX_VALUE);
          if (inside.isEmpty()) {
            remove(h, name);
            return Deletion.DELETED;
          }
          if (cascade == Cascade.REFUSE || !confirm.equals(Optional.of(name))) {
            throw new RefusedException(
                new Refusal.Conflict(
                    "environment-not-empty",
                    "the environment '" + name + "' holds " + inside.size() + " objects",
                    "Tear them down with it: cascade=true&confirm=" + name,
                    inside));
          }
          h.execute(
              "UPDATE environments SET deleting = true, version = version + 1, updated_at = ?"
                  + " WHERE name = ?",
              parts.clock().instant(),
              name);
          EnvironmentReconciler.left(h, name, parts.clock().instant());
          return Deletion.TEARING_DOWN;
        });
  }

  /** Removes one whose deletion waits for what is inside, once that has gone. */
  void removeEmpty(String name) {
    transactions.run(
        h -> {
          boolean empty = inside(h, name, 1).isEmpty();
          if (empty) {
            remove(h, name);
          }
          return empty;
        });
  }

  /** Rows of a branch that this server does not have refer to the environment. */
  private static RefusedException heldByAbsentBranch(String name) {
    return RefusedException.conflict(
        "environment-not-empty",
        "the environment '" + name + "' holds objects of a branch that this server does not have",
        "Delete them with a server that has this branch, then delete the environment.");
  }

  private List<String> inside(Handle handle, String name, int limit) {
    return occupants.stream()
        .flatMap(o -> o.remaining(handle, name, limit).stream())
        .map(NodeRef::name)
        .toList();
  }

  /** With the history of what was inside. */
  private void remove(Handle handle, String name) {
    occupants.forEach(o -> o.forget(handle, name));
    try {
      handle.execute("DELETE FROM environments WHERE name = ?", name);
    } catch (StatementException e) {
      if (e.getCause() instanceof SQLException cause
          && FOREIGN_KEY_VIOLATION.equals(cause.getSQLState())) {
        throw heldByAbsentBranch(name);
      }
      throw e;
    }
  }

  private static EnvironmentRow find(Handle handle, Caller caller, String name) {
    return EnvironmentRow.find(handle, name)
        .filter(row -> EnvironmentAccess.sees(caller, row))
        .orElseThrow(
            () ->
                new RefusedException(
                    new Refusal.NotFound(
                        "environment", name, "See what there is: slipway environment list")));
  }

  private static EnvironmentRow locked(
      Handle handle, Caller caller, String name, Optional<Long> ifVersion) {
    handle.execute("SELECT 1 FROM environments WHERE name = ? FOR UPDATE", name);
    EnvironmentRow row = find(handle, caller, name);
    if (ifVersion.isPresent() && ifVersion.get() != row.version()) {
      throw new RefusedException(
          new Refusal.Outdated("environment", name, ifVersion.get(), row.version()));
    }
    return row;
  }

  private static void check(String name, Settings settings) {
    if (!LABEL.matcher(name).matches()) {
      throw RefusedException.conflict(
          "invalid-name",
          "'" + name + "' is no name for an environment",
          "Use 2 to 63 lower-case letters, digits and dashes.");
    }
    settings.namespaceTemplate().ifPresent(template -> check(name, template));
    settings
        .deletionPolicy()
        .filter(word -> DeletionPolicy.parse(word).isEmpty())
        .ifPresent(
            word -> {
              throw RefusedException.conflict(
                  "invalid-policy",
                  "'" + word + "' is no deletion policy",
                  "Known are delete, retain and orphan.");
            });
  }

  private Map<String, Object> sealed(String name, Map<String, Object> variables) {
    Object sealed =
        parts
            .box()
            .sealLeaves(
                variables,
                (path, value) -> Secrets.nameSaysSecret(path.substring(path.lastIndexOf('.') + 1)));
    return Values.map(parts.box().bind(sealed, EncryptionContext.environment(name)));
  }

  private void allowed(String name) {
    if (!parts.config().get().policies().mayCreate(name)) {
      Diagnostic diagnostic =
          Diagnostic.error(
              "environment-not-allowed",
              "name",
              Path.of("name"),
              Position.START,
              "policies.allowedEnvironments does not list '" + name + "'",
              Nearest.hint(name, parts.config().get().policies().allowedEnvironments()));
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.SETTING, List.of(diagnostic)));
    }
  }

  private static void check(String environment, String template) {
    if (!template.isEmpty()
        && NamespaceTemplate.render(template, "any", environment, "team")
            instanceof NamespaceTemplate.Result.Wrong(Position at, String message, String hint)) {
      Diagnostic diagnostic =
          Diagnostic.error(
              "invalid-template",
              "namespaceTemplate",
              Path.of("namespaceTemplate"),
              at,
              message,
              hint);
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.SETTING, List.of(diagnostic)));
    }
  }

  /** What is there would be looked for, and deleted, in another namespace than it was made in. */
  private void keepNamespaces(Handle handle, EnvironmentRow row, Settings settings) {
    String before = row.namespaceTemplate() == null ? "" : row.namespaceTemplate();
    List<String> inside = inside(handle, row.name(), Integer.MAX_VALUE);
    if (!settings.namespaceTemplate().orElse(before).equals(before) && !inside.isEmpty()) {
      throw new RefusedException(
          new Refusal.Conflict(
              "environment-not-empty",
              "the environment '" + row.name() + "' has objects in the namespaces of today",
              "Change namespaceTemplate before the first object comes, or after the last.",
              inside));
    }
  }

  private View view(Handle handle, Caller caller, EnvironmentRow row) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    occupants.forEach(o -> counts.putAll(o.count(handle, row.name(), caller)));
    return new View(
        row.name(),
        row.team(),
        row.type(),
        row.ttl(),
        row.expiresAt(),
        row.cluster(),
        row.namespaceTemplate(),
        row.protection(),
        row.variables(),
        row.deletionPolicy(),
        counts,
        row.version(),
        row.createdAt(),
        row.updatedAt());
  }
}
