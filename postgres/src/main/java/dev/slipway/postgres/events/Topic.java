package dev.slipway.postgres.events;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a thread of this or another replica may wait for. */
public enum Topic {
  /** Some run may be claimable, or was asked to stop. */
  RUNS,
  /** Events were appended. */
  EVENTS,
  /** Some key has to be reconciled; the payload is its kind. */
  SIGNALS;

  /** The topic of a message; empty for one that only another version has. */
  static Optional<Topic> ofMessage(String message) {
    return Arrays.stream(values()).filter(t -> message.startsWith(t.prefix())).findFirst();
  }

  /** As sent. */
  String message(String payload) {
    return prefix() + payload;
  }

  /** What a message of this topic carries. */
  String payload(String message) {
    return message.startsWith(prefix()) ? message.substring(prefix().length()) : "";
  }

  private String prefix() {
    return name().toLowerCase(Locale.ROOT) + ":";
  }
}
