package dev.slipway.engine.resolve;

import java.util.List;

/**
 * Several providers of one precedence level claim one type: from that level down it is unusable.
 */
public record CapabilityConflict(String type, int level, List<Claimant> claimants) {
  /** One of them, and where it says so. */
  public record Claimant(String provider, String position) {}

  /** A sentence that names the providers and what to do. */
  public String message() {
    return "resource type '"
        + type
        + "' is claimed by "
        + String.join(
            " and ", claimants.stream().map(c -> c.provider() + " (" + c.position() + ")").toList())
        + " at precedence "
        + level
        + ". Give one of them another precedence in the configuration, or remove the type from it.";
  }
}
