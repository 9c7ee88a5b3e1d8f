package dev.slipway.engine.health;

import java.util.Arrays;
import java.util.Optional;

/** What a look at a node found. Failed is a verdict on a node, never what a look finds. */
public enum Health {
  HEALTHY("Healthy"),
  PROGRESSING("Progressing"),
  DEGRADED("Degraded"),
  SUSPENDED("Suspended"),
  MISSING("Missing"),
  UNKNOWN("Unknown"),
  FAILED("Failed");

  private final String text;

  Health(String text) {
    this.text = text;
  }

  /** As documents, the API and the database write it. */
  public String text() {
    return text;
  }

  /** Empty if no health is written like that. */
  public static Optional<Health> parse(String text) {
    return Arrays.stream(values()).filter(h -> h.text.equals(text)).findFirst();
  }

  /** Whether the node exists, according to the sample. */
  boolean live() {
    return switch (this) {
      case HEALTHY, PROGRESSING, DEGRADED, SUSPENDED -> true;
      case MISSING, UNKNOWN, FAILED -> false;
    };
  }
}
