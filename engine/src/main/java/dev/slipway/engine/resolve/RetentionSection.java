package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.AdminConfig.Retention;
import java.time.Duration;

/** Reads {@code retention} of the configuration. */
final class RetentionSection {
  private static final Duration LEAST = Duration.ofHours(1);
  private static final Duration MOST = Duration.ofDays(36_500);
  private static final int MOST_ROWS = 100_000;

  private RetentionSection() {}

  static Retention read(Section root) {
    Retention usual = Retention.DEFAULT;
    return root.section("retention")
        .map(
            s -> {
              s.only(AdminForms.RETENTION.names());
              Retention retention =
                  new Retention(
                      duration(s, "plans", usual.plans()),
                      duration(s, "audit", usual.audit()),
                      duration(s, "deleted", usual.deleted()),
                      duration(s, "history", usual.history()),
                      duration(s, "credentials", usual.credentials()),
                      s.integer("revisions", 1, MOST_ROWS, usual.revisions()),
                      s.integer("deployments", 1, MOST_ROWS, usual.deployments()));
              s.warnOfOtherKeys();
              return retention;
            })
        .orElse(usual);
  }

  private static Duration duration(Section s, String key, Duration usual) {
    Duration value = s.duration(key, usual);
    EngineSection.between(s, key, value, LEAST, MOST);
    return value;
  }
}
