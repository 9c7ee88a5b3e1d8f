package dev.slipway.gotemplate.regex;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * How often something repeats.
 *
 * @param least how often at least; -1 when one of the numbers is too long to read
 * @param most how often at most; -1 when there is no bound
 */
record Bounds(int least, int most) {
  /** The bounds at this place: a sign or numbers in braces; empty when it is something else. */
  static Optional<Bounds> read(Scanner in) {
    return switch (in.next()) {
      case '*' -> Optional.of(new Bounds(0, -1));
      case '+' -> Optional.of(new Bounds(1, -1));
      case '?' -> Optional.of(new Bounds(0, 1));
      default -> braces(in);
    };
  }

  private static Optional<Bounds> braces(Scanner in) {
    OptionalInt least = number(in);
    if (least.isEmpty()) {
      return Optional.empty();
    }
    if (in.skip("}")) {
      return Optional.of(new Bounds(least.getAsInt(), least.getAsInt()));
    }
    if (!in.skip(",")) {
      return Optional.empty();
    }
    if (in.skip("}")) {
      return Optional.of(new Bounds(least.getAsInt(), -1));
    }
    OptionalInt most = number(in);
    if (most.isEmpty() || !in.skip("}")) {
      return Optional.empty();
    }
    boolean readable = most.getAsInt() >= 0;
    return Optional.of(new Bounds(readable ? least.getAsInt() : -1, most.getAsInt()));
  }

  private static OptionalInt number(Scanner in) {
    int start = in.at;
    while (in.peek(0) >= '0' && in.peek(0) <= '9') {
      in.at++;
    }
    String digits = in.since(start);
    if (digits.isEmpty() || digits.length() > 1 && digits.startsWith("0")) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(digits.length() > 8 ? -1 : Integer.parseInt(digits));
  }

  /** Whether the bounds are in order and not above the limit. */
  boolean fit(int limit) {
    return least >= 0 && least <= limit && most <= limit && (most < 0 || least <= most);
  }
}
