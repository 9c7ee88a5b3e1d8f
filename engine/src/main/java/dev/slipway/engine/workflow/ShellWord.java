package dev.slipway.engine.workflow;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A word of a script: its text as far as the author wrote it, and what else flows into it. */
final class ShellWord {
  /** Stands in {@link #literal} for whatever is not known before the script runs. */
  static final char UNKNOWN = '\0';

  private static final Pattern ASSIGNMENT =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(\\[[^\\]]*])?\\+?=");

  final StringBuilder literal = new StringBuilder();
  final Set<Integer> values = new TreeSet<>();
  final Set<String> variables = new TreeSet<>();

  /** How much of the text stood before the first quote. */
  int bare = -1;

  /** The text, if all of it is the author's. */
  @Nullable String text() {
    return literal.indexOf(String.valueOf(UNKNOWN)) >= 0 ? null : literal.toString();
  }

  /** The author's text up to the first unknown part. */
  String prefix() {
    int unknown = literal.indexOf(String.valueOf(UNKNOWN));
    return unknown < 0 ? literal.toString() : literal.substring(0, unknown);
  }

  void unknown() {
    literal.append(UNKNOWN);
  }

  void quoted() {
    bare = bare < 0 ? literal.length() : bare;
  }

  boolean isBare(String text) {
    return bare < 0 && literal.toString().equals(text);
  }

  /** The variable that this word assigns to, if it is an assignment. */
  @Nullable String assigned() {
    Matcher matcher = ASSIGNMENT.matcher(prefix());
    return matcher.lookingAt() && (bare < 0 || matcher.end() <= bare) ? matcher.group(1) : null;
  }

  /** The name before {@code =} wherever quotes stand: how export and declare read it. */
  @Nullable String declared() {
    Matcher matcher = ASSIGNMENT.matcher(prefix());
    return matcher.lookingAt() ? matcher.group(1) : null;
  }

  void take(ShellWord other) {
    values.addAll(other.values);
    variables.addAll(other.variables);
  }
}
