package dev.slipway.postgres.events;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody may wait for. */
public enum Topic {
  /** Some run may be claimable, or was asked to stop. */
  RUNS,
  /** Events were appended. */
  EVENTS,
  /** Some application's next move has to be worked out. */
  APPLICATIONS;

  /** The one that is sent so; empty for one that a newer version knows. */
  static Optional<Topic> of(String text) {
    return Arrays.stream(values()).filter(topic -> topic.text().equals(text)).findFirst();
  }

  /** As sent. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
