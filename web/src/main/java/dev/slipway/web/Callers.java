package dev.slipway.web;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Teams;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Identity;

/**
 * Maps an identity to the engine's {@code Caller}: the teams it may see and those it may change.
 */
public final class Callers {
  private Callers() {}

  public static Caller of(Call call) {
    Identity identity = call.caller();
    return new Caller(
        identity.name(), teams(identity, Action.READ), teams(identity, Action.CHANGE));
  }

  public static Teams teams(Identity identity, Action action) {
    return switch (identity.reach(action)) {
      case Identity.Reach.EveryTeam every -> new Teams.Every();
      case Identity.Reach.Some some -> new Teams.Named(some.teams());
    };
  }
}
