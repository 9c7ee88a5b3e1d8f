package dev.slipway.gotemplate.regex;

/**
 * Told how much work a search does, in steps of the matching machine, while it does it. Stops the
 * search by throwing.
 */
@FunctionalInterface
public interface Work {
  Work UNMETERED = steps -> {};

  void spend(long steps);
}
