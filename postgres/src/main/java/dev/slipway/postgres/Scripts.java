package dev.slipway.postgres;

import java.util.regex.Pattern;

/**
 * Migration scripts with a history table of their own.
 *
 * @param owner the trunk or a branch, for messages
 * @param location of the scripts, as {@code classpath:db/stacks}
 * @param history the table that lists the applied ones
 */
public record Scripts(String owner, String location, String history) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,30}");

  /** The trunk's scripts, applied before those of any branch. */
  static final Scripts TRUNK =
      new Scripts("trunk", "classpath:db/migration", "flyway_schema_history");

  /** A branch's scripts, in {@code db/<name>}; they may refer to the trunk's tables. */
  public static Scripts ofBranch(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a name of a branch: '" + name + "'");
    }
    return new Scripts(name, "classpath:db/" + name, "flyway_" + name + "_history");
  }
}
