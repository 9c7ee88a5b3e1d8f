package dev.slipway.gotemplate.regex;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The groups of code points that are equal when case is ignored, by Unicode's simple folding (for
 * example k, K and the Kelvin sign). Computed once, when first needed.
 */
final class CaseOrbits {
  /** No letter beyond this one has a case. */
  private static final int LAST = 0x1FFFF;

  private static final Map<Integer, int[]> BY_MEMBER = compute();
  private static final List<int[]> ALL =
      BY_MEMBER.entrySet().stream()
          .filter(e -> e.getKey() == e.getValue()[0])
          .map(Map.Entry::getValue)
          .toList();

  private CaseOrbits() {}

  /** Every group with more than one member. */
  static List<int[]> all() {
    return ALL;
  }

  /** The set of the code points equal to this one but for case. */
  static CharSet of(int codePoint) {
    int[] orbit = BY_MEMBER.get(codePoint);
    if (orbit == null) {
      return CharSet.of(codePoint);
    }
    CharSet.Builder set = new CharSet.Builder();
    for (int member : orbit) {
      set.add(member, member);
    }
    return set.build();
  }

  private static Map<Integer, int[]> compute() {
    Map<Integer, SortedSet<Integer>> groups = new HashMap<>();
    for (int c = 0; c <= LAST; c++) {
      int key = key(c);
      if (key != c) {
        groups.computeIfAbsent(key, k -> new TreeSet<>(List.of(k))).add(c);
      }
    }
    Map<Integer, int[]> byMember = new HashMap<>();
    for (SortedSet<Integer> group : groups.values()) {
      int[] orbit = group.stream().mapToInt(Integer::intValue).toArray();
      group.forEach(member -> byMember.put(member, orbit));
    }
    return byMember;
  }

  private static int key(int c) {
    // The Turkish dotted capital and dotless small i have mappings but no simple folding.
    return c == 0x130 || c == 0x131 ? c : Character.toLowerCase(Character.toUpperCase(c));
  }
}
