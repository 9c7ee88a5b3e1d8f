package dev.slipway.gotemplate;

import java.util.Collection;
import java.util.Locale;

/** Finds the known name that was probably meant. */
final class Suggestion {
  private static final int LONGEST = 64;
  private static final int MOST = 2_000;

  private Suggestion() {}

  /** "Did you mean …?" with the nearest name, or nothing if none is near. */
  static String of(String wrong, Collection<String> known) {
    String best = "";
    int bestDistance = wrong.length() < 3 ? 1 : Math.min(4, wrong.length() / 4 + 2);
    int looked = 0;
    for (String name : known) {
      if (wrong.length() > LONGEST || looked++ > MOST) {
        break;
      }
      int distance = name.length() > LONGEST ? LONGEST : distance(wrong, name);
      boolean likelier =
          Math.abs(name.length() - wrong.length()) < Math.abs(best.length() - wrong.length());
      if (distance < bestDistance || distance == bestDistance && !best.isEmpty() && likelier) {
        bestDistance = distance;
        best = name;
      }
    }
    return best.isEmpty() ? "" : "Did you mean " + Quoted.quote(best) + "?";
  }

  /** Edits between two names; a difference in case only counts less than any other. */
  private static int distance(String a, String b) {
    if (a.equalsIgnoreCase(b)) {
      return 0;
    }
    String x = a.toLowerCase(Locale.ROOT);
    String y = b.toLowerCase(Locale.ROOT);
    int[] beforeLast = new int[y.length() + 1];
    int[] last = new int[y.length() + 1];
    for (int j = 0; j <= y.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= x.length(); i++) {
      int[] row = new int[y.length() + 1];
      row[0] = i;
      for (int j = 1; j <= y.length(); j++) {
        int replaced = last[j - 1] + (x.charAt(i - 1) == y.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(row[j - 1], last[j]) + 1);
        if (i > 1 && j > 1 && swapped(x, y, i, j)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      beforeLast = last;
      last = row;
    }
    return last[y.length()];
  }

  private static boolean swapped(String x, String y, int i, int j) {
    return x.charAt(i - 1) == y.charAt(j - 2) && x.charAt(i - 2) == y.charAt(j - 1);
  }
}
