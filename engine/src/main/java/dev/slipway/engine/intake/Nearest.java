package dev.slipway.engine.intake;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The known name that a person most likely meant by an unknown one. */
public final class Nearest {
  /** Longer names are not compared: the cost grows with the square of the length. */
  private static final int LONGEST = 80;

  private Nearest() {}

  /** The known name closest to the written one, if any is close enough to be a slip. */
  public static Optional<String> to(String written, Collection<String> known) {
    String wanted = plain(written);
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    if (written.length() <= LONGEST) {
      for (String name : known) {
        int distance = distance(wanted, plain(name), tolerance(wanted, name));
        if (distance < bestDistance) {
          bestDistance = distance;
          best = name;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** {@code Did you mean 'postgres'?}, or null when nothing is close: fits a diagnostic's hint. */
  public static @Nullable String hint(String written, Collection<String> known) {
    return to(written, known).map(name -> "Did you mean '" + name + "'?").orElse(null);
  }

  /** The nearest name, else the list of what is allowed when that is short enough to read. */
  public static @Nullable String hintOrList(String written, Collection<String> known) {
    String hint = hint(written, known);
    if (hint != null || known.isEmpty() || known.size() > 12) {
      return hint;
    }
    return "Known here: " + String.join(", ", known) + ".";
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
  }

  private static int tolerance(String wanted, String name) {
    int shorter = Math.min(wanted.length(), name.length());
    return shorter <= 3 ? 1 : shorter <= 7 ? 2 : 3;
  }

  /**
   * Edits (insert, delete, replace, swap of neighbours) between two words; MAX_VALUE past limit.
   */
  private static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) > limit || b.length() > LONGEST) {
      return Integer.MAX_VALUE;
    }
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        edits[i][j] = cheapest(a, b, i, j, edits);
      }
    }
    int distance = edits[a.length()][b.length()];
    return distance <= limit ? distance : Integer.MAX_VALUE;
  }

  private static int cheapest(String a, String b, int i, int j, int[][] edits) {
    if (i == 0 || j == 0) {
      return i + j;
    }
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int best = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
    best = Math.min(best, edits[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
  }
}
