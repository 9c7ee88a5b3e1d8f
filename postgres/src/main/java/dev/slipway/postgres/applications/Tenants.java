package dev.slipway.postgres.applications;

import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.Refusal;
import dev.slipway.engine.progress.RefusedException;
import dev.slipway.engine.progress.Teams;
import org.jdbi.v3.core.Handle;

/**
 * The teams that have something in an environment, or its history. Everybody sees an environment,
 * but what is done to it is done to all of them.
 */
final class Tenants {
  private Tenants() {}

  /**
   * Refuses a caller who may not deploy for all of them. Says neither which teams these are nor
   * what they have.
   */
  static void permit(Handle handle, Caller caller, String environment) {
    if (caller.changes() instanceof Teams.Named(var teams)
        && others(handle, environment, teams.toArray(String[]::new))) {
      throw new RefusedException(
          new Refusal.Forbidden(
              "the environment '"
                  + environment
                  + "' is also used by teams that you cannot deploy"
                  + " for",
              "You may extend it. For anything else ask an operator."));
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

  private static boolean others(Handle handle, String environment, String[] teams) {
    return handle
        .createQuery(
            """
            SELECT EXISTS (SELECT 1 FROM applications
                            WHERE environment = :environment AND team <> ALL (:teams))
                OR EXISTS (SELECT 1 FROM resources
                            WHERE environment = :environment AND team <> ALL (:teams))
            """)
        .bind("environment", environment)
        .bindByType("teams", teams, String[].class)
        .mapTo(Boolean.class)
        .one();
  }
}
