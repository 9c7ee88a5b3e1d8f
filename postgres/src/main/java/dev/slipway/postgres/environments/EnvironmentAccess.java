package dev.slipway.postgres.environments;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.access.Teams;
import dev.slipway.engine.resolve.AdminConfig;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which callers may do what to an environment. One that a team's request made belongs to that team:
 * its members and operators deploy into it and change it. Any other is shared: every team deploys
 * into it, operators change it, because a change concerns all that run there.
 */
public final class EnvironmentAccess {
  private EnvironmentAccess() {}

  /** Whether it exists for the caller. */
  static boolean sees(Caller caller, EnvironmentRow environment) {
    return environment.team() == null || caller.sees().includes(environment.team());
  }

  /** Refuses a write into an environment of another team, without naming that team. */
  public static void enter(Caller caller, EnvironmentRow environment) {
    if (environment.team() != null && !caller.changes().includes(environment.team())) {
      throw new RefusedException(
          new Refusal.Forbidden(
              "the environment '"
                  + environment.name()
                  + "' belongs to a team that you cannot deploy for",
              "Choose an environment of another name, or ask to join its team."));
    }
  }

  /** What an environment of a team holds belongs to that team. */
  public static void settle(EnvironmentRow environment, String team) {
    if (environment.team() != null && !environment.team().equals(team)) {
      throw RefusedException.conflict(
          "environment-of-team",
          "the environment '"
              + environment.name()
              + "' belongs to team '"
              + environment.team()
              + "' and takes nothing of team '"
              + team
              + "'",
          "Deploy with --team " + environment.team() + ", or into another environment.");
    }
  }

  /**
   * Refuses a change, an extension or a deletion by a caller outside of its team. Replicas of
   * schema 9 know no owners and may have let another team in, so what is inside counts, too.
   */
  static void change(Caller caller, EnvironmentRow environment, Supplier<Set<String>> inside) {
    if (!(caller.changes() instanceof Teams.Named(var teams))) {
      return;
    }
    if (environment.team() == null) {
      throw new RefusedException(
          new Refusal.Forbidden(
              "the environment '" + environment.name() + "' is shared by teams",
              "Ask an operator to change, extend or delete it."));
    }
    enter(caller, environment);
    if (!teams.containsAll(inside.get())) {
      throw new RefusedException(
          new Refusal.Forbidden(
              "the environment '"
                  + environment.name()
                  + "' is also used by teams that you cannot deploy for",
              "Ask an operator to change, extend or delete it."));
    }
  }

  /** A caller who has to wait for an approval does not change what makes them wait. */
  static void operate(Caller caller, EnvironmentRow environment) {
    if (caller.changes() instanceof Teams.Named) {
      throw new RefusedException(
          new Refusal.Forbidden(
              "the environment '" + environment.name() + "' is protected",
              "Ask an operator to change, extend or delete it."));
    }
  }

  /** Whether an environment of that name that the caller's deployment makes is shared. */
  public static boolean shared(AdminConfig config, Caller caller, String name) {
    return caller.changes() instanceof Teams.Every || declared(config, name);
  }

  /** The configuration names it. */
  private static boolean declared(AdminConfig config, String name) {
    return config.policies().allowedEnvironments().contains(name)
        || config.workflowPolicies().requireApproval().contains(name);
  }

  /** The team that an environment belongs to which the caller makes by hand; null: shared. */
  static @Nullable String owner(
      AdminConfig config, Caller caller, String name, Optional<String> asked) {
    if (caller.changes() instanceof Teams.Every) {
      return asked.orElse(null);
    }
    if (declared(config, name)) {
      throw new RefusedException(
          new Refusal.Forbidden(
              "the configuration names the environment '" + name + "': all teams share it",
              "Deploy into it, which makes it, or ask an operator to make it."));
    }
    String team = team(caller, asked);
    if (!caller.changes().includes(team)) {
      throw new RefusedException(
          new Refusal.Forbidden("you cannot deploy for team '" + team + "'", null));
    }
    return team;
  }

  /** The team asked for, else the only one of the caller. */
  public static String team(Caller caller, Optional<String> asked) {
    if (asked.isPresent()) {
      return asked.get();
    }
    return switch (caller.changes()) {
      case Teams.Every _ -> "default";
      case Teams.Named(var names) when names.size() == 1 -> names.iterator().next();
      case Teams.Named(var names) ->
          throw new RefusedException(
              names.isEmpty()
                  ? new Refusal.Forbidden("you are a developer of no team", null)
                  : new Refusal.Conflict(
                      "team-required",
                      "you are in several teams",
                      "Say which one owns it: --team "
                          + names.stream().sorted().findFirst().orElse("NAME"),
                      names.stream().sorted().toList()));
    };
  }
}
