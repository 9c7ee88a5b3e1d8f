package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A shell script in which each value is one code that no author can write: a code below zero is the
 * value of that number.
 */
record ShellText(int[] codes, List<Nature> values) {
  /** What is known of a value. */
  enum Nature {
    /** A number: cannot be code wherever it stands. */
    NUMBER,
    TEXT
  }

  static final class Builder {
    private final List<Integer> codes = new ArrayList<>();
    private final List<Nature> values = new ArrayList<>();

    Builder text(String text) {
      text.chars().forEach(codes::add);
      return this;
    }

    Builder value(Nature nature) {
      values.add(nature);
      codes.add(-values.size());
      return this;
    }

    /** Lines end with a newline alone, as in the file that the shell reads. */
    ShellText build() {
      int[] unix =
          IntStream.range(0, codes.size())
              .filter(
                  i -> codes.get(i) != '\r' || i + 1 == codes.size() || codes.get(i + 1) != '\n')
              .map(codes::get)
              .toArray();
      return new ShellText(unix, List.copyOf(values));
    }
  }

  /** The number of the value that a code stands for. */
  static int valueOf(int code) {
    return -code - 1;
  }

  int length() {
    return codes.length;
  }
}
