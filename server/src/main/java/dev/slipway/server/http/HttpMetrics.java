package dev.slipway.server.http;

/** Counts answers. */
public interface HttpMetrics {
  /** A call of a known route was answered. */
  void answered(Route route, int status);

  /** A call of no route was answered. */
  void unmatched(String method, int status);
}
