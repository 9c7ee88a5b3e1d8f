package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.AdminConfig.EngineConfig;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code engine} of the configuration. */
final class EngineSection {
  private EngineSection() {}

  static EngineConfig read(Section root) {
    EngineConfig usual = EngineConfig.DEFAULT;
    return root.section("engine")
        .map(
            s -> {
              s.only(AdminForms.ENGINE.names());
              EngineConfig settings =
                  new EngineConfig(
                      s.duration("pollInterval", usual.pollInterval()),
                      s.integer("batchSize", 1, 10_000, usual.batchSize()),
                      s.integer("workers", 1, 10_000, usual.workers()),
                      s.duration("lease", usual.lease()),
                      limits(s),
                      s.duration("retention", usual.retention()),
                      s.integer("maxQueuedRuns", 1, 10_000_000, usual.maxQueuedRuns()),
                      s.integer("maxWrites", 1, 10_000, usual.maxWrites()));
              between(
                  s,
                  "retention",
                  settings.retention(),
                  Duration.ofHours(1),
                  Duration.ofDays(36_500));
              between(s, "lease", settings.lease(), Duration.ofSeconds(2), Duration.ofMinutes(10));
              between(
                  s,
                  "pollInterval",
                  settings.pollInterval(),
                  Duration.ofMillis(100),
                  Duration.ofHours(1));
              s.warnOfOtherKeys();
              return settings;
            })
        .orElse(usual);
  }

  private static ProcessLimits limits(Section engine) {
    ProcessLimits usual = ProcessLimits.DEFAULT;
    Optional<Section> found = engine.section("limits");
    if (found.isEmpty()) {
      return usual;
    }
    Section s = found.get().only(AdminForms.LIMITS.names());
    ProcessLimits limits =
        new ProcessLimits(
            s.size("memory", 1 << 20).orElse(usual.memory()),
            s.integer("processes", 2, 1_000_000, usual.processes()),
            s.size("output", 1 << 10).orElse(usual.output()),
            s.size("disk", 1 << 16).orElse(usual.disk()),
            s.integer("openFiles", 16, 1_000_000, usual.openFiles()),
            s.string("user", usual.user()));
    s.warnOfOtherKeys();
    return limits;
  }

  /** Says so when a duration is shorter or longer than it may be. */
  static void between(Section s, String key, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      String words = DurationText.print(least) + " and " + DurationText.print(most);
      s.error(key, "invalid-value", "must be between " + words, DurationText.FORMS);
    }
  }
}
