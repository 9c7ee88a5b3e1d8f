package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import java.time.Duration;

/** Reads {@code observe} of the configuration. */
final class ObserveSection {
  private static final Duration LEAST = Duration.ofSeconds(5);

  private ObserveSection() {}

  static Observe read(Section root) {
    Observe usual = Observe.DEFAULT;
    return root.section("observe")
        .map(
            s -> {
              s.only(AdminForms.OBSERVE.names());
              Duration interval = s.duration("interval", usual.interval());
              EngineSection.between(s, "interval", interval, LEAST, Observe.LONGEST);
              Observe.Drift drift = s.choice("drift", Observe.Drift.class, usual.drift());
              s.warnOfOtherKeys();
              return new Observe(interval, drift);
            })
        .orElse(usual);
  }
}
