package dev.slipway.engine.plan;

import java.util.Locale;

/** What a plan does to one resource. */
public enum Change {
  CREATE,
  UPDATE,
  REPLACE,
  DELETE,
  NO_OP,
  /** It depends on outputs that are only known once something before it has been done. */
  UNKNOWN;

  /** As users see it: {@code no-op}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
