package dev.slipway.server.api;

import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.Teams;
import dev.slipway.server.access.Action;
import dev.slipway.server.access.Identity;
import dev.slipway.server.http.Call;

/** The caller as the use cases know them: which teams they see and which they may change. */
final class Callers {
  private Callers() {}

  static Caller of(Call call) {
    Identity identity = call.caller();
    return new Caller(
        identity.name(), teams(identity, Action.READ), teams(identity, Action.CHANGE));
  }

  static Teams teams(Identity identity, Action action) {
    return switch (identity.reach(action)) {
      case Identity.Reach.EveryTeam every -> new Teams.Every();
      case Identity.Reach.Some some -> new Teams.Named(some.teams());
    };
  }
}
