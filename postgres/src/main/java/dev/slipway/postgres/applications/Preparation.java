package dev.slipway.postgres.applications;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Score;
import dev.slipway.engine.plan.Offers;
import dev.slipway.engine.plan.Planned;
import dev.slipway.engine.plan.Planner;
import dev.slipway.engine.plan.Wanted;
import dev.slipway.engine.plan.WantedResource;
import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.Refusal;
import dev.slipway.engine.progress.RefusedException;
import dev.slipway.engine.progress.Teams;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * From a request to a plan, before anything is written: who, where, what is there, what changes.
 */
final class Preparation {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");

  private final Ground ground;
  private final Handle handle;
  private final Caller caller;
  private final KnownResources.Lock lock;

  Preparation(Ground ground, Handle handle, Caller caller, KnownResources.Lock lock) {
    this.ground = ground;
    this.handle = handle;
    this.caller = caller;
    this.lock = lock;
  }

  /**
   * Everything there is to know.
   *
   * @param existing the application's row, empty for a new one
   * @param inForce the deployment in force, if any
   */
  record Prepared(
      EnvironmentRow environment,
      boolean newEnvironment,
      Optional<ApplicationRow> existing,
      UUID id,
      String team,
      Optional<Situations.InForce> inForce,
      Wanted wanted,
      Planned planned) {

    boolean living() {
      return existing.isPresent() && existing.get().deletedAt() == null;
    }
  }

  Prepared deploy(Wish wish) throws SQLException {
    Optional<EnvironmentRow> found = EnvironmentRow.find(handle, wish.environment());
    found.ifPresent(row -> Tenants.enter(caller, row));
    EnvironmentRow environment = found.orElseGet(() -> newEnvironment(wish));
    open(environment);
    Score score = wish.score();
    Optional<String> asked = wish.team().or(() -> Optional.ofNullable(environment.team()));
    Optional<ApplicationRow> existing = existing(environment.name(), score.name(), asked);
    String team = existing.map(ApplicationRow::team).orElseGet(() -> Tenants.team(caller, asked));
    permit(caller, existing, team, score.name());
    if (existing.isEmpty()) {
      Tenants.settle(environment, team);
    }
    Offers offers = ground.offers(environment.name());
    Wanted wanted =
        Wanted.of(
            score,
            environment.name(),
            environment.type(),
            offers.workloads(),
            ground.box(),
            offers::secretParams);
    return prepare(environment, found.isEmpty(), existing, team, wanted, wish.choices());
  }

  Prepared teardown(ApplicationRow application, EnvironmentRow environment, Wish.Choices choices)
      throws SQLException {
    permit(caller, Optional.of(application), application.team(), application.name());
    Wanted nothing = Wanted.nothing(application.name(), environment.name());
    return prepare(
        environment, false, Optional.of(application), application.team(), nothing, choices);
  }

  private Prepared prepare(
      EnvironmentRow environment,
      boolean newEnvironment,
      Optional<ApplicationRow> existing,
      String team,
      Wanted wanted,
      Wish.Choices choices)
      throws SQLException {
    UUID id = existing.map(ApplicationRow::id).orElseGet(ground.ids());
    List<String> identities = wanted.resources().stream().map(WantedResource::identity).toList();
    KnownResources.Found found =
        KnownResources.of(handle, id, environment.name(), identities, lock);
    Optional<Situations.InForce> inForce =
        existing.flatMap(a -> Situations.inForce(handle, a.id()));
    Planner.Question question =
        new Planner.Question(
            id,
            team,
            specHash(existing, inForce),
            choices.replace(),
            choices.orphan(),
            environment.policy(),
            ground.config().get().policies().backups());
    Planned planned = ground.planner(environment.name()).plan(wanted, question, found.resources());
    return new Prepared(environment, newEnvironment, existing, id, team, inForce, wanted, planned);
  }

  /** Over the spec in force; null when there is none. */
  private @Nullable String specHash(
      Optional<ApplicationRow> existing, Optional<Situations.InForce> inForce) {
    boolean live =
        existing.isPresent()
            && existing.get().deletedAt() == null
            && inForce.isPresent()
            && !inForce.get().kind().equals("teardown");
    return live
        ? handle
            .createQuery(
                "SELECT spec_hash FROM revisions WHERE application_id = ? AND revision = ?")
            .bind(0, existing.get().id())
            .bind(1, existing.get().revision())
            .mapTo(String.class)
            .findOne()
            .orElse(null)
        : null;
  }

  private Optional<ApplicationRow> existing(
      String environment, String name, Optional<String> team) {
    Optional<ApplicationRow> living =
        lock == KnownResources.Lock.HELD
            ? ApplicationRow.reserve(handle, environment, name)
            : ApplicationRow.find(handle, environment, name);
    return living.isPresent()
        ? living
        : ApplicationRow.holdDeleted(handle, environment, name, Tenants.team(caller, team));
  }

  static void permit(Caller caller, Optional<ApplicationRow> existing, String team, String name) {
    if (!caller.changes().includes(team)) {
      boolean another = existing.isPresent() && existing.get().deletedAt() == null;
      throw new RefusedException(
          new Refusal.Forbidden(
              another
                  ? "the application '" + name + "' belongs to a team that you cannot deploy for"
                  : "you cannot deploy for team '" + team + "'",
              another ? "Choose another name, or ask to join its team." : null));
    }
  }

  private EnvironmentRow newEnvironment(Wish wish) {
    String name = wish.environment();
    if (!LABEL.matcher(name).matches()) {
      throw invalid(
          wish,
          "invalid-environment",
          "'" + name + "' is no name for an environment",
          "Use 2 to 63 lower-case letters, digits and dashes.");
    }
    if (!ground.config().get().policies().mayCreate(name)) {
      throw invalid(
          wish,
          "environment-not-allowed",
          "there is no environment '"
              + name
              + "' and policies.allowedEnvironments does not list it",
          "Deploy into one that exists: slipway environment list");
    }
    Instant now = ground.now();
    Optional<Score.RequestedEnvironment> asked =
        wish.score().environment().filter(e -> e.name().equals(name));
    boolean shared = Tenants.shared(ground, caller, name);
    boolean lasting = shared && caller.changes() instanceof Teams.Named;
    var ttl = lasting ? null : asked.flatMap(Score.RequestedEnvironment::ttl).orElse(null);
    return new EnvironmentRow(
        name,
        shared ? null : Tenants.team(caller, wish.team()),
        asked.flatMap(Score.RequestedEnvironment::type).orElse("standard"),
        ttl,
        ttl == null ? null : now.plus(ttl),
        false,
        null,
        null,
        Environments.Protection.OPEN,
        Map.of(),
        null,
        false,
        1,
        now,
        now);
  }

  private static RefusedException invalid(Wish wish, String code, String message, String hint) {
    Diagnostic diagnostic =
        Diagnostic.error(
            code, wish.score().document().file(), Path.ROOT, Position.START, message, hint);
    return new RefusedException(
        new Refusal.Invalid(Refusal.Invalid.Stage.CONTENT, List.of(diagnostic)));
  }

  private void open(EnvironmentRow environment) {
    if (environment.deleting()) {
      throw Ground.conflict(
          "environment-deleting",
          "the environment '" + environment.name() + "' is being deleted",
          "Wait until it has gone: slipway environment list");
    }
    if (environment.expiresAt() != null && !environment.expiresAt().isAfter(ground.now())) {
      throw Ground.conflict(
          "environment-expired",
          "the environment '" + environment.name() + "' expired at " + environment.expiresAt(),
          "Extend it first: slipway environment extend " + environment.name() + " --ttl 7d");
    }
  }

  /** Refuses what the plan forbids. */
  static void refuse(Prepared prepared, Optional<String> planHash, Optional<Long> ifVersion) {
    current(prepared, ifVersion);
    Planned planned = prepared.planned();
    if (!planned.errors().isEmpty()) {
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.CONTENT, planned.errors()));
    }
    obstacles(planned);
    undeletable(planned);
    if (planHash.isPresent() && !planHash.get().equals(planned.plan().hash())) {
      throw new RefusedException(new Refusal.StalePlan(planHash.get(), planned.plan().hash()));
    }
  }

  /** Refuses what was asked of an older version. */
  static void current(Prepared prepared, Optional<Long> ifVersion) {
    if (ifVersion.isPresent() && prepared.existing().isPresent()) {
      long actual = prepared.existing().get().version();
      if (actual != ifVersion.get()) {
        throw new RefusedException(
            new Refusal.Outdated(
                "application", prepared.existing().get().name(), ifVersion.get(), actual));
      }
    }
  }

  private static void obstacles(Planned planned) {
    if (!planned.obstacles().isEmpty()) {
      Planned.Obstacle first = planned.obstacles().getFirst();
      throw new RefusedException(
          new Refusal.Conflict(first.code(), first.message(), first.hint(), first.related()));
    }
  }

  private static void undeletable(Planned planned) {
    if (!planned.undeletable().isEmpty()) {
      throw new RefusedException(
          new Refusal.Conflict(
              "no-delete-workflow",
              "no provider can delete " + String.join(", ", planned.undeletable()),
              "Leave the real objects alone: --orphan "
                  + String.join(" --orphan ", planned.undeletable()),
              planned.undeletable()));
    }
  }
}
