package dev.slipway.gotemplate.regex;

/**
 * Receives the work of a search, in steps of the matching machine, while the search runs. Stops the
 * search by throwing.
 */
@FunctionalInterface
public interface Work {
  Work UNMETERED = steps -> {};

  void spend(long steps);
}
