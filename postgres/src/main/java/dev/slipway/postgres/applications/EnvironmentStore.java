package dev.slipway.postgres.applications;

import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.Refusal;
import dev.slipway.engine.progress.RefusedException;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.NamespaceTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Environments in PostgreSQL. */
public final class EnvironmentStore implements Environments {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");

  private final Ground ground;

  /** On this ground. */
  public EnvironmentStore(Ground ground) {
    this.ground = ground;
  }

  @Override
  public List<View> list(Caller caller) {
    return ground.read(
        h ->
            h
                .createQuery(
                    "SELECT " + EnvironmentRow.COLUMNS + " FROM environments ORDER BY name")
                .map((rs, context) -> EnvironmentRow.map(rs))
                .list()
                .stream()
                .filter(row -> Tenants.sees(caller, row))
                .map(row -> view(h, caller, row))
                .toList());
  }

  @Override
  public View show(Caller caller, String name) {
    return ground.read(h -> view(h, caller, find(h, caller, name)));
  }

  @Override
  public View create(Caller caller, String name, Settings settings, Optional<String> team) {
    allowed(name);
    check(name, settings);
    @Nullable String owner = Tenants.owner(ground, caller, name, team);
    return ground.transaction(
        h -> {
          Instant now = ground.now();
          int made =
              h.execute(
                  "INSERT INTO environments (name, team, created_at, updated_at)"
                      + " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                  name,
                  owner,
                  now,
                  now);
          if (made == 0) {
            EnvironmentRow.find(h, name).ifPresent(row -> Tenants.enter(caller, row));
            throw Ground.conflict(
                "already-exists",
                "there is an environment '" + name + "' already",
                "Change it instead: PATCH /api/environments/" + name);
          }
          write(h, name, settings);
          return view(h, caller, find(h, caller, name));
        });
  }

  @Override
  public void enter(Caller caller, String name) {
    ground
        .read(h -> EnvironmentRow.find(h, name))
        .ifPresent(environment -> Tenants.enter(caller, environment));
  }

  /** Whether changes in it need an approved plan; also for one that does not exist yet. */
  public boolean guarded(String name) {
    return ground.read(h -> new Guard(ground, h).covers(name));
  }

  @Override
  public View change(Caller caller, String name, Settings settings, Optional<Long> ifVersion) {
    check(name, settings);
    return ground.transaction(
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
    if (new Guard(ground, handle).covers(row)) {
      Tenants.operate(caller, row);
    }
    Tenants.change(handle, caller, row);
  }

  private static Optional<Instant> expiry(Settings settings, Instant now) {
    return settings.expiresAt().or(() -> settings.ttl().map(now::plus));
  }

  private void write(Handle handle, String name, Settings settings) {
    Instant now = ground.now();
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

  @Override
  public Deletion delete(
      Caller caller,
      String name,
      Cascade cascade,
      Optional<String> confirm,
      Optional<Long> ifVersion) {
    return ground.transaction(
        h -> {
          EnvironmentRow row = locked(h, caller, name, ifVersion);
          if (row.name().equals("default")) {
            throw Ground.conflict(
                "default-environment", "the environment 'default' always exists", null);
          }
          change(h, caller, row);
          List<String> inside = inside(h, name);
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
              ground.now(),
              name);
          return Deletion.TEARING_DOWN;
        });
  }

  /** Removes one that waits for its last application, once that has gone. */
  void removeEmpty(String name) {
    ground.transaction(
        h -> {
          boolean empty = inside(h, name).isEmpty();
          if (empty) {
            remove(h, name);
          }
          return empty;
        });
  }

  private static List<String> inside(Handle handle, String name) {
    return handle
        .createQuery(
            """
            SELECT name FROM applications WHERE environment = :name AND deleted_at IS NULL
            UNION ALL
            SELECT identity FROM resources WHERE environment = :name AND state <> 'deleted'
               AND owner_id NOT IN (SELECT id FROM applications
                                     WHERE environment = :name AND deleted_at IS NULL)
             ORDER BY 1
            """)
        .bind("name", name)
        .mapTo(String.class)
        .list();
  }

  /** With the history of what was inside. */
  private static void remove(Handle handle, String name) {
    handle.execute(
        "DELETE FROM resource_transitions WHERE resource_id IN"
            + " (SELECT id FROM resources WHERE environment = ?)",
        name);
    handle.execute("DELETE FROM resources WHERE environment = ?", name);
    handle.execute("DELETE FROM applications WHERE environment = ?", name);
    handle.execute("DELETE FROM environments WHERE name = ?", name);
  }

  private static EnvironmentRow find(Handle handle, Caller caller, String name) {
    return EnvironmentRow.find(handle, name)
        .filter(row -> Tenants.sees(caller, row))
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
      throw Ground.conflict(
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
              throw Ground.conflict(
                  "invalid-policy",
                  "'" + word + "' is no deletion policy",
                  "Known are delete, retain and orphan.");
            });
  }

  private Map<String, Object> sealed(String name, Map<String, Object> variables) {
    Object sealed =
        ground
            .box()
            .sealLeaves(
                variables,
                (path, value) -> Secrets.nameSaysSecret(path.substring(path.lastIndexOf('.') + 1)));
    return Values.map(ground.box().bind(sealed, EncryptionContext.environment(name)));
  }

  private void allowed(String name) {
    if (!ground.config().get().policies().mayCreate(name)) {
      Diagnostic diagnostic =
          Diagnostic.error(
              "environment-not-allowed",
              "name",
              Path.of("name"),
              Position.START,
              "policies.allowedEnvironments does not list '" + name + "'",
              Nearest.hint(name, ground.config().get().policies().allowedEnvironments()));
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.SETTING, List.of(diagnostic)));
    }
  }

  private static void check(String environment, String template) {
    if (!template.isEmpty()
        && NamespaceTemplate.render(template, "app", environment, "team")
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
  private static void keepNamespaces(Handle handle, EnvironmentRow row, Settings settings) {
    String before = row.namespaceTemplate() == null ? "" : row.namespaceTemplate();
    List<String> inside = inside(handle, row.name());
    if (!settings.namespaceTemplate().orElse(before).equals(before) && !inside.isEmpty()) {
      throw new RefusedException(
          new Refusal.Conflict(
              "environment-not-empty",
              "the environment '" + row.name() + "' has applications in the namespaces of today",
              "Change namespaceTemplate before the first application comes, or after the last.",
              inside));
    }
  }

  private static View view(Handle handle, Caller caller, EnvironmentRow row) {
    int applications =
        Sight.bind(
                handle
                    .createQuery(
                        "SELECT count(*) FROM applications a WHERE a.environment = :name"
                            + " AND a.deleted_at IS NULL AND "
                            + String.format(Sight.OF_TEAM, "a"))
                    .bind("name", row.name()),
                caller)
            .mapTo(Integer.class)
            .one();
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
        applications,
        row.version(),
        row.createdAt(),
        row.updatedAt());
  }
}
