package dev.slipway.engine.access;

/**
 * Who asks. What belongs to a team outside of {@code sees} does not exist for them; what belongs to
 * one outside of {@code changes} can be looked at but neither changed nor revealed.
 */
public record Caller(String user, Teams sees, Teams changes) {

  /** Time itself: an environment has expired. */
  public static final Caller TTL = system("ttl");

  /** The server itself, without a user: timers and reloads. */
  public static Caller system(String name) {
    return new Caller(name, new Teams.Every(), new Teams.Every());
  }
}
