package dev.slipway.kubernetes.health.custom;

import dev.slipway.kubernetes.health.GroupKind;

/**
 * Which kinds a rule is for. In both parts {@code *} stands for any text and {@code ?} for one
 * character.
 *
 * @param group empty for the core group
 */
public record KindPattern(String group, String kind) {
  private static final int LONGEST = 253;

  public KindPattern {
    if (group.length() > LONGEST || kind.length() > LONGEST || kind.isEmpty()) {
      throw new IllegalArgumentException("a group or kind has 1 to " + LONGEST + " characters");
    }
  }

  /** As a key of {@code argocd-cm} names it: a pattern with a group never means the core group. */
  public static KindPattern ofKey(String key) {
    int slash = key.indexOf('/');
    if (slash < 0) {
      return new KindPattern("", key);
    }
    String group = key.substring(0, slash);
    return new KindPattern(group.equals("*") ? "?*" : group, key.substring(slash + 1));
  }

  boolean isExact() {
    return literals() == group.length() + kind.length();
  }

  /** How much of it is no wildcard. */
  int literals() {
    return (int) (group + kind).chars().filter(c -> c != '*' && c != '?').count();
  }

  boolean matches(GroupKind found) {
    return matches(group, found.group()) && matches(kind, found.kind());
  }

  /** Goes back to the latest star only, so that the work is at most the product of the lengths. */
  private static boolean matches(String pattern, String text) {
    int at = 0;
    int star = -1;
    int retry = 0;
    for (int i = 0; i < text.length(); ) {
      if (at < pattern.length() && fits(pattern.charAt(at), text.charAt(i))) {
        at++;
        i++;
      } else if (at < pattern.length() && pattern.charAt(at) == '*') {
        star = at++;
        retry = i;
      } else if (star >= 0) {
        at = star + 1;
        i = ++retry;
      } else {
        return false;
      }
    }
    return pattern.substring(at).chars().allMatch(c -> c == '*');
  }

  private static boolean fits(char pattern, char text) {
    return pattern == '?' || pattern == text && pattern != '*';
  }

  @Override
  public String toString() {
    return group.isEmpty() ? kind : group + "/" + kind;
  }
}
