package dev.slipway.applications.score;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Label;
import dev.slipway.engine.intake.Section;
import java.util.Optional;

/** The top-level {@code environment: {type, ttl}} of older Score files. */
final class LegacyEnvironment {
  private LegacyEnvironment() {}

  /** The type is also the name of the environment, unless the request names another. */
  static Optional<Score.RequestedEnvironment> read(Document document, Diagnostics diagnostics) {
    Section root = document.section(diagnostics);
    Optional<Section> found = root.section("environment");
    found.ifPresent(
        _ ->
            root.warning(
                "environment",
                "legacy-field",
                "'environment' is not part of Score; it chooses the target environment here",
                "Name the environment when you deploy."));
    return found.map(LegacyEnvironment::fields);
  }

  private static Score.RequestedEnvironment fields(Section section) {
    String type = section.requiredMatching("type", Label.PATTERN, Label.WORDS);
    var ttl = section.duration("ttl");
    section.noOtherKeys();
    return new Score.RequestedEnvironment(type, Optional.of(type), ttl);
  }
}
