package dev.slipway.gotemplate.regex;

/**
 * A text that a search reads character by character, which is where its work is measured: RE2/J
 * reports none, but it reads each character once per pass and does at most {@code cost} steps for
 * it. A lone surrogate (a byte that was not UTF-8) reads as one replacement character.
 */
final class MeteredText implements CharSequence {
  private static final long REPORTED_AT = 1 << 12;

  private final String text;
  private final long cost;
  private final Work work;
  private long unreported;

  MeteredText(String text, long cost, Work work) {
    this.text = text;
    this.cost = cost;
    this.work = work;
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    unreported += cost;
    if (unreported >= REPORTED_AT) {
      report();
    }
    char c = text.charAt(index);
    return Character.isSurrogate(c) && isLone(c, index) ? '\uFFFD' : c;
  }

  private boolean isLone(char c, int index) {
    return Character.isHighSurrogate(c)
        ? index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1))
        : index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
  }

  /** Reports the work since the last report. */
  void report() {
    long steps = unreported + 1;
    unreported = 0;
    work.spend(steps);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
