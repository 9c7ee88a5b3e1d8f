package dev.slipway.engine.health;

/** A test of freshness that a sample failed, with both values: what was asked for and was seen. */
public record Stale(String test, String wanted, String seen) {
  @Override
  public String toString() {
    return test + ": wanted " + wanted + ", seen " + seen;
  }
}
