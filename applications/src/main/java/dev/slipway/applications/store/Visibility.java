package dev.slipway.applications.store;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.access.Teams;
import dev.slipway.engine.intake.Nearest;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Limits every query to what its caller may see. */
final class Visibility {
  /** For a table or alias with a team: {@code String.format(OF_TEAM, "a")}. */
  static final String OF_TEAM = "(CAST(:teams AS text[]) IS NULL OR %s.team = ANY (:teams))";

  /** A resource is also seen by those who use it. */
  static final String OF_RESOURCE =
      """
      (CAST(:teams AS text[]) IS NULL OR r.team = ANY (:teams)
       OR EXISTS (SELECT 1 FROM resource_users seen_u JOIN applications seen_a
                    ON seen_a.id = seen_u.application_id
                   WHERE seen_u.resource_id = r.id AND seen_a.team = ANY (:teams)))
      """;

  private Visibility() {}

  static String @Nullable [] teams(Caller caller) {
    return switch (caller.sees()) {
      case Teams.Every _ -> null;
      case Teams.Named(var names) -> names.toArray(String[]::new);
    };
  }

  static <S extends SqlStatement<S>> S bind(S statement, Caller caller) {
    return statement.bindByType("teams", teams(caller), String[].class);
  }

  /** The application, if the caller may see it. */
  static ApplicationRow application(Handle handle, Caller caller, Applications.Ref ref) {
    return ApplicationRow.find(handle, ref.environment(), ref.name())
        .filter(a -> caller.sees().includes(a.team()))
        .orElseThrow(() -> missing(handle, caller, ref));
  }

  /** The application, if the caller may change it; locked. */
  static ApplicationRow changeable(Handle handle, Caller caller, Applications.Ref ref) {
    ApplicationRow row =
        ApplicationRow.hold(handle, ref.environment(), ref.name())
            .filter(a -> caller.sees().includes(a.team()))
            .orElseThrow(() -> missing(handle, caller, ref));
    changes(caller, row.team(), "the application '" + row.name() + "'");
    return row;
  }

  static void changes(Caller caller, String team, String what) {
    if (!caller.changes().includes(team)) {
      throw new RefusedException(
          new Refusal.Forbidden(
              what + " belongs to a team in which you may only look",
              "Ask for the role developer in its team."));
    }
  }

  private static RefusedException missing(Handle handle, Caller caller, Applications.Ref ref) {
    String nearest = Nearest.hint(ref.name(), others(handle, caller, ref));
    return new RefusedException(
        new Refusal.NotFound(
            "application",
            ref.name() + (ref.environment().equals("default") ? "" : "@" + ref.environment()),
            (nearest == null ? "" : nearest + " ") + "See what there is: slipway status"));
  }

  /** Names to suggest: only of what the caller may see. */
  private static List<String> others(Handle handle, Caller caller, Applications.Ref ref) {
    return bind(
            handle
                .createQuery(
                    "SELECT a.name FROM applications a WHERE a.environment = :environment"
                        + " AND a.state <> 'deleted' AND "
                        + OF_TEAM.formatted("a")
                        + " ORDER BY a.name LIMIT 1000")
                .bind("environment", ref.environment()),
            caller)
        .mapTo(String.class)
        .list();
  }
}
