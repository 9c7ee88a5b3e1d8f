package dev.slipway.applications.store;

import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.Planned;
import dev.slipway.applications.plan.Planner;
import dev.slipway.applications.plan.Wanted;
import dev.slipway.applications.plan.WantedResource;
import dev.slipway.applications.score.Score;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.access.Teams;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.postgres.environments.EnvironmentAccess;
import dev.slipway.postgres.environments.EnvironmentRow;
import dev.slipway.postgres.environments.Environments;
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
record Preparation(
    ApplicationContext context, Handle handle, Caller caller, KnownResources.Lock lock) {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");

  /** Whether an environment is there, or is made by the deployment. */
  enum Existence {
    THERE,
    MADE
  }

  /** Where, and for whom. */
  private record Target(
      EnvironmentRow environment,
      Existence existence,
      Optional<ApplicationRow> existing,
      String team) {}

  /**
   * Everything there is to know.
   *
   * @param existence of the environment
   * @param existing the application's row, empty for a new one
   * @param inForce the deployment in force, if any
   */
  record Prepared(
      EnvironmentRow environment,
      Existence existence,
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

  Prepared deploy(DeployCommand command) throws SQLException {
    Optional<EnvironmentRow> found = EnvironmentRow.find(handle, command.environment());
    found.ifPresent(row -> EnvironmentAccess.enter(caller, row));
    EnvironmentRow environment = found.orElseGet(() -> newEnvironment(command));
    open(environment);
    Score score = command.score();
    Optional<String> asked = command.team().or(() -> Optional.ofNullable(environment.team()));
    Optional<ApplicationRow> existing = existing(environment.name(), score.name(), asked);
    String team =
        existing.map(ApplicationRow::team).orElseGet(() -> EnvironmentAccess.team(caller, asked));
    permit(caller, existing, team, score.name());
    if (existing.isEmpty()) {
      EnvironmentAccess.settle(environment, team);
    }
    Offers offers = context.offers(environment.name());
    Wanted wanted =
        Wanted.of(
            score,
            environment.name(),
            environment.type(),
            offers.workloads(),
            context.box(),
            offers::secretParams);
    Existence existence = found.isPresent() ? Existence.THERE : Existence.MADE;
    Target target = new Target(environment, existence, existing, team);
    return prepare(target, wanted, command.choices());
  }

  Prepared teardown(
      ApplicationRow application, EnvironmentRow environment, DeployCommand.Choices choices)
      throws SQLException {
    permit(caller, Optional.of(application), application.team(), application.name());
    Wanted nothing = Wanted.nothing(application.name(), environment.name());
    Target target =
        new Target(environment, Existence.THERE, Optional.of(application), application.team());
    return prepare(target, nothing, choices);
  }

  private Prepared prepare(Target target, Wanted wanted, DeployCommand.Choices choices)
      throws SQLException {
    EnvironmentRow environment = target.environment();
    Optional<ApplicationRow> existing = target.existing();
    UUID id = existing.map(ApplicationRow::id).orElseGet(context.ids());
    List<String> identities = wanted.resources().stream().map(WantedResource::identity).toList();
    KnownResources.Found found =
        lock == KnownResources.Lock.HELD
            ? KnownResources.held(context, handle, id, environment.name(), identities)
            : KnownResources.seen(handle, id, environment.name(), identities);
    Optional<Situations.InForce> inForce =
        existing.flatMap(a -> Situations.inForce(handle, a.id()));
    Planner.Question question =
        new Planner.Question(
            id,
            target.team(),
            specHash(existing, inForce),
            choices.replace(),
            choices.orphan(),
            environment.policy(),
            context.config().get().policies().backups());
    Planned planned = context.planner(environment.name()).plan(wanted, question, found.resources());
    return new Prepared(
        environment, target.existence(), existing, id, target.team(), inForce, wanted, planned);
  }

  /** Over the spec in force; null when there is none. */
  private @Nullable String specHash(
      Optional<ApplicationRow> existing, Optional<Situations.InForce> inForce) {
    boolean live =
        existing.isPresent()
            && existing.get().deletedAt() == null
            && inForce.isPresent()
            && inForce.get().kind() != DeployCommand.Kind.TEARDOWN;
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
        : ApplicationRow.holdDeleted(
            handle, environment, name, EnvironmentAccess.team(caller, team));
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

  private EnvironmentRow newEnvironment(DeployCommand command) {
    String name = command.environment();
    if (!LABEL.matcher(name).matches()) {
      throw invalid(
          command,
          "invalid-environment",
          "'" + name + "' is no name for an environment",
          "Use 2 to 63 lower-case letters, digits and dashes.");
    }
    if (!context.config().get().policies().mayCreate(name)) {
      throw invalid(
          command,
          "environment-not-allowed",
          "there is no environment '"
              + name
              + "' and policies.allowedEnvironments does not list it",
          "Deploy into one that exists: slipway environment list");
    }
    Instant now = context.now();
    Optional<Score.RequestedEnvironment> asked =
        command.score().environment().filter(e -> e.name().equals(name));
    boolean shared = EnvironmentAccess.shared(context.config().get(), caller, name);
    boolean lasting = shared && caller.changes() instanceof Teams.Named;
    var ttl = lasting ? null : asked.flatMap(Score.RequestedEnvironment::ttl).orElse(null);
    return new EnvironmentRow(
        name,
        shared ? null : EnvironmentAccess.team(caller, command.team()),
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

  private static RefusedException invalid(
      DeployCommand command, String code, String message, String hint) {
    Diagnostic diagnostic =
        Diagnostic.error(
            code, command.score().document().file(), Path.ROOT, Position.START, message, hint);
    return new RefusedException(
        new Refusal.Invalid(Refusal.Invalid.Stage.CONTENT, List.of(diagnostic)));
  }

  private void open(EnvironmentRow environment) {
    if (environment.deleting()) {
      throw RefusedException.conflict(
          "environment-deleting",
          "the environment '" + environment.name() + "' is being deleted",
          "Wait until it has gone: slipway environment list");
    }
    if (environment.expiresAt() != null && !environment.expiresAt().isAfter(context.now())) {
      throw RefusedException.conflict(
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
