package dev.slipway.engine.resolve;

import java.util.Locale;

/** What is done to a resource. */
public enum Operation {
  CREATE,
  READ,
  UPDATE,
  DELETE;

  /** As written in manifests. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
