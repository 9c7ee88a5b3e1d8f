package dev.slipway.gotemplate.regex;

/** Where a pattern was found in a text: the whole match is group 0. */
public final class Match {
  private final String text;
  private final int[] bounds;

  Match(String text, int[] bounds) {
    this.text = text;
    this.bounds = bounds;
  }

  public int start() {
    return bounds[0];
  }

  public int end() {
    return bounds[1];
  }

  public String text() {
    return text.substring(bounds[0], bounds[1]);
  }

  /** Whether the group took part in the match. */
  public boolean has(int group) {
    return group >= 0 && 2 * group + 1 < bounds.length && bounds[2 * group] >= 0;
  }

  /** What the group matched; empty when it took no part or does not exist. */
  public String group(int group) {
    return has(group) ? text.substring(bounds[2 * group], bounds[2 * group + 1]) : "";
  }

  /** Where the group begins, or -1 when it took no part. */
  public int start(int group) {
    return has(group) ? bounds[2 * group] : -1;
  }

  /** Where the group ends, or -1 when it took no part. */
  public int end(int group) {
    return has(group) ? bounds[2 * group + 1] : -1;
  }
}
