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
    return EditDistance.between(a.toLowerCase(Locale.ROOT), b.toLowerCase(Locale.ROOT));
  }
}
