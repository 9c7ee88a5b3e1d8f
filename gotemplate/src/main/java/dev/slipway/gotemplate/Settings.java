package dev.slipway.gotemplate;

import java.time.Clock;

/**
 * How templates are parsed and executed.
 *
 * @param functions the functions that templates may call, beside the built-in ones
 * @param missingKey what a map gives for a key that it does not have
 * @param limits what one execution may use
 * @param leftDelimiter starts an action
 * @param rightDelimiter ends an action
 * @param fieldNames what belongs to a name in a field chain
 * @param clock the time that functions see
 */
public record Settings(
    Functions functions,
    MissingKey missingKey,
    Limits limits,
    String leftDelimiter,
    String rightDelimiter,
    FieldNames fieldNames,
    Clock clock) {

  /** Go's defaults: no functions beside the built-in ones. */
  public static final Settings DEFAULT =
      new Settings(
          Functions.NONE,
          MissingKey.DEFAULT,
          Limits.DEFAULT,
          "{{",
          "}}",
          FieldNames.GO,
          Clock.systemUTC());

  public Settings {
    if (leftDelimiter.isEmpty() || rightDelimiter.isEmpty()) {
      throw new IllegalArgumentException("a delimiter must not be empty");
    }
  }

  public Settings withFunctions(Functions value) {
    return new Settings(
        value, missingKey, limits, leftDelimiter, rightDelimiter, fieldNames, clock);
  }

  public Settings withMissingKey(MissingKey value) {
    return new Settings(functions, value, limits, leftDelimiter, rightDelimiter, fieldNames, clock);
  }

  public Settings withLimits(Limits value) {
    return new Settings(
        functions, missingKey, value, leftDelimiter, rightDelimiter, fieldNames, clock);
  }

  public Settings withDelimiters(String left, String right) {
    return new Settings(functions, missingKey, limits, left, right, fieldNames, clock);
  }

  public Settings withFieldNames(FieldNames value) {
    return new Settings(functions, missingKey, limits, leftDelimiter, rightDelimiter, value, clock);
  }

  public Settings withClock(Clock value) {
    return new Settings(
        functions, missingKey, limits, leftDelimiter, rightDelimiter, fieldNames, value);
  }

  /** Go's {@code missingkey} option. */
  public enum MissingKey {
    /** {@code <no value>} when printed. */
    DEFAULT,
    /** The zero value of the map's values. */
    ZERO,
    /** The execution fails. */
    ERROR
  }

  /** What belongs to a name in a field chain. */
  public enum FieldNames {
    /** Letters, digits and underscores, as in Go. */
    GO,
    /** Also hyphens inside the name: {@code .steps.make-redis.output.host}. */
    HYPHENATED
  }
}
