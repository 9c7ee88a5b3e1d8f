package dev.slipway.engine.intake;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The known name that a person most likely meant by an unknown one. */
public final class Nearest {
  /** Longer names are not compared: the cost grows with the square of the length. */
  private static final int LONGEST = 80;

  /** Of more names than this only the first are compared, so that hostile input stays cheap. */
  private static final int MOST = 500;

  private static final int FAR = 1_000;

  private Nearest() {}

  /** The known name closest to the written one, if any is close enough to be a slip. */
  public static Optional<String> to(String written, Collection<String> known) {
    if (written.isBlank() || written.length() > LONGEST) {
      return Optional.empty();
    }
    String wanted = plain(written);
    String best = null;
    int bestDistance = FAR;
    for (String name : known.stream().limit(MOST).toList()) {
      int distance = distance(wanted, plain(name), tolerance(wanted, name));
      if (distance < bestDistance) {
        bestDistance = distance;
        best = name;
      }
    }
    return Optional.ofNullable(best).or(() -> longer(written, known));
  }

  /** Somebody who writes {@code env} may mean {@code environment}, if nothing else starts so. */
  private static Optional<String> longer(String written, Collection<String> known) {
    var longer =
        written.length() < 3
            ? List.<String>of()
            : known.stream().limit(MOST).filter(name -> name.startsWith(written)).toList();
    return longer.size() == 1 ? Optional.of(longer.getFirst()) : Optional.empty();
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
   * Edits (insert, delete, replace, swap of neighbours) between two words; FAR past the limit. Only
   * cells near the diagonal are filled: further away no path can be short enough.
   */
  private static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) > limit || b.length() > LONGEST) {
      return FAR;
    }
    int[] beforeLast = row(b);
    int[] last = row(b);
    int[] now = row(b);
    for (int i = 0; i <= a.length(); i++) {
      Arrays.fill(now, FAR);
      for (int j = Math.max(0, i - limit); j <= Math.min(b.length(), i + limit); j++) {
        now[j] = cheapest(a, b, i, j, beforeLast, last, now);
      }
      int[] free = beforeLast;
      beforeLast = last;
      last = now;
      now = free;
    }
    return last[b.length()] <= limit ? last[b.length()] : FAR;
  }

  private static int[] row(String b) {
    int[] row = new int[b.length() + 1];
    Arrays.fill(row, FAR);
    return row;
  }

  private static int cheapest(
      String a, String b, int i, int j, int[] beforeLast, int[] last, int[] now) {
    if (i == 0 || j == 0) {
      return i + j;
    }
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int best = Math.min(last[j], now[j - 1]) + 1;
    best = Math.min(best, last[j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, beforeLast[j - 2] + 1) : best;
  }
}
