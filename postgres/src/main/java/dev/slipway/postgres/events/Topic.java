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

  /** The topic of a message; empty for one that only another version knows. */
  static Optional<Topic> ofMessage(String message) {
    return Arrays.stream(values()).filter(topic -> message.startsWith(topic.prefix())).findFirst();
  }

  /** As sent. */
  String message(String payload) {
    return prefix() + payload;
  }

  /** What a message of this topic carries. */
  String payload(String message) {
    return message.substring(prefix().length());
  }

  private String prefix() {
    return name().toLowerCase(Locale.ROOT) + ":";
  }
}
