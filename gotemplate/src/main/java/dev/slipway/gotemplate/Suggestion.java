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
    int bestDistance = Math.min(4, wrong.length() / 3 + 2);
    int looked = 0;
    for (String name : known) {
      if (wrong.length() > LONGEST || looked++ > MOST) {
        break;
      }
      int distance = name.length() > LONGEST ? LONGEST : distance(wrong, name);
      if (distance < bestDistance) {
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
    int[] row = new int[y.length() + 1];
    for (int j = 0; j <= y.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= x.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= y.length(); j++) {
        int replaced = diagonal + (x.charAt(i - 1) == y.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[y.length()];
  }
}
