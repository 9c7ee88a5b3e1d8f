package dev.slipway.engine.workflow;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Demands that a pattern describes the whole value: one that matches a part of it lets through
 * every value that contains a good part.
 */
final class AnchoredPattern {
  private static final Pattern ANCHORED = Pattern.compile("(?s)\\^(.*?)(\\\\*)\\$");
  private static final Pattern ANCHORS = Pattern.compile("^\\^|\\$$");

  /** Skipped as one: an escape, a class with its closing bracket, or the beginning of a group. */
  private static final Pattern TOKEN =
      Pattern.compile("(?s)\\\\.|\\[\\^?]?(?:\\[:\\^?\\w+:]|\\\\.|[^]\\\\])*]|\\(\\?([a-zA-Z]*)|.");

  private AnchoredPattern() {}

  /** What is wrong with the pattern, and how to write it. */
  record Fault(String message, String hint) {}

  static Optional<Fault> fault(String pattern) {
    if (pattern.contains("\\Q")) {
      return Optional.of(new Fault("\\Q is not allowed in a pattern", "Escape with \\ instead."));
    }
    Matcher anchored = ANCHORED.matcher(pattern);
    boolean closed = anchored.matches() && anchored.group(2).length() % 2 == 0;
    String hint = "Write '^(" + ANCHORS.matcher(pattern).replaceAll("") + ")$'.";
    if (!closed) {
      return Optional.of(new Fault("the pattern must describe the whole value, from ^ to $", hint));
    }
    return inside(pattern, hint);
  }

  /** Looks for a choice outside of groups, and for flags that let ^ and $ match at each line. */
  private static Optional<Fault> inside(String pattern, String hint) {
    int open = 0;
    for (Matcher token = TOKEN.matcher(pattern); token.find(); ) {
      String text = token.group();
      open += text.startsWith("(") ? 1 : text.equals(")") ? -1 : 0;
      if (text.equals("|") && open == 0) {
        return Optional.of(new Fault("^ and $ belong to one side of | each", hint));
      }
      if (token.group(1) != null && token.group(1).contains("m")) {
        return Optional.of(
            new Fault("with the flag m, ^ and $ match at each line", "Remove the flag m."));
      }
    }
    return Optional.empty();
  }
}
