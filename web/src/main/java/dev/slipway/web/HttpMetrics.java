package dev.slipway.web;

/** Counts responses. */
public interface HttpMetrics {
  /** A call of a known route was answered with this status. */
  void answered(Route route, int status);

  /** A request that matches no route was answered with this status. */
  void unmatched(String method, int status);
}
