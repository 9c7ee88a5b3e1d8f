package dev.slipway.postgres.events;

import java.util.Locale;

/** What somebody may wait for. */
public enum Topic {
  /** Some run may be claimable, or was asked to stop. */
  RUNS,
  /** Events were appended. */
  EVENTS,
  /** Some application's next move has to be worked out. */
  APPLICATIONS;

  /** As sent. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
