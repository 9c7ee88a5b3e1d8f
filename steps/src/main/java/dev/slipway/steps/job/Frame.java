package dev.slipway.steps.job;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of a pod's log, as {@code run.sh} writes it.
 *
 * @param number counts all frames of a pod
 */
record Frame(long number, Kind kind, String text) {
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,15})([opefrl?x]) (.*)", Pattern.DOTALL);

  /** What a frame carries. */
  enum Kind {
    STDOUT('o'),
    STDOUT_PART('p'),
    STDERR('e'),
    STDERR_PART('f'),
    RESULT('r'),
    RESULT_SIZE('l'),
    UNREADABLE('?'),
    EXIT('x');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    static Kind of(char letter) {
      for (Kind kind : values()) {
        if (kind.letter == letter) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no frame begins with " + letter);
    }
  }

  /** Reads a line; empty when the container's shell wrote it, and not the script. */
  static Optional<Frame> parse(String line) {
    Matcher matcher = FORM.matcher(line);
    return matcher.matches()
        ? Optional.of(
            new Frame(
                Long.parseLong(matcher.group(1)),
                Kind.of(matcher.group(2).charAt(0)),
                matcher.group(3)))
        : Optional.empty();
  }
}
