package dev.slipway.server.golden;

import dev.slipway.engine.resolve.Resolution;
import java.util.List;
import java.util.Map;

/**
 * A workflow that people may start.
 *
 * @param allowedTeams teams that may start it; empty is every team
 * @param required parameters that its entry demands on top of what the workflow declares
 * @param defaults parameters that its entry sets unless the caller does
 */
public record GoldenPath(
    String name,
    String description,
    String category,
    List<String> tags,
    String estimatedDuration,
    List<String> allowedTeams,
    List<String> required,
    Map<String, Object> defaults,
    Resolution.Definition definition) {

  /** The same by another definition. */
  GoldenPath by(Resolution.Definition other) {
    return new GoldenPath(
        name,
        description,
        category,
        tags,
        estimatedDuration,
        allowedTeams,
        required,
        defaults,
        other);
  }

  /** Whether members of this team may start it. */
  public boolean open(String team) {
    return allowedTeams.isEmpty() || allowedTeams.contains(team);
  }
}
