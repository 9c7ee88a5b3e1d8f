package dev.slipway.engine.intake;

import java.util.regex.Pattern;

/** The form of most names: workloads, containers, resources, environments, teams, providers. */
public final class Label {
  public static final Pattern PATTERN = Pattern.compile("[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");

  /** Completes "'x' is not ...": fits {@link Section#matching}. */
  public static final String WORDS =
      "a label: 2 to 63 lower-case letters, digits and hyphens, no hyphen at either end";

  private Label() {}

  public static boolean matches(String text) {
    return PATTERN.matcher(text).matches();
  }
}
