package dev.slipway.gotemplate.regex;

import java.util.Arrays;

/** An immutable set of code points: sorted, disjoint ranges, with a bitmap for ASCII. */
final class CharSet {
  static final CharSet ANY = new CharSet(new int[] {0, Character.MAX_CODE_POINT});
  static final CharSet ANY_BUT_NEWLINE = of('\n').negated();

  private final int[] ranges;
  private final long low;
  private final long high;

  private CharSet(int[] ranges) {
    this.ranges = ranges;
    long lowBits = 0;
    long highBits = 0;
    for (int c = 0; c < 64; c++) {
      lowBits |= search(c) ? 1L << c : 0;
      highBits |= search(c + 64) ? 1L << c : 0;
    }
    this.low = lowBits;
    this.high = highBits;
  }

  static CharSet of(int codePoint) {
    return new CharSet(new int[] {codePoint, codePoint});
  }

  boolean contains(int codePoint) {
    if (codePoint < 64) {
      return codePoint >= 0 && (low >>> codePoint & 1) != 0;
    }
    return codePoint < 128 ? (high >>> codePoint & 1) != 0 : search(codePoint);
  }

  private boolean search(int codePoint) {
    int from = 0;
    int to = ranges.length / 2;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (codePoint < ranges[2 * middle]) {
        to = middle;
      } else if (codePoint > ranges[2 * middle + 1]) {
        from = middle + 1;
      } else {
        return true;
      }
    }
    return false;
  }

  /** The only member, or -1 when there are none or several. */
  int single() {
    return ranges.length == 2 && ranges[0] == ranges[1] ? ranges[0] : -1;
  }

  boolean isEmpty() {
    return ranges.length == 0;
  }

  CharSet negated() {
    Builder rest = new Builder();
    int next = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      rest.add(next, ranges[i] - 1);
      next = ranges[i + 1] + 1;
    }
    return rest.add(next, Character.MAX_CODE_POINT).build();
  }

  /** This set and every code point that differs from a member only in case. */
  CharSet folded() {
    Builder all = new Builder().add(this);
    for (int[] orbit : CaseOrbits.all()) {
      if (Arrays.stream(orbit).anyMatch(this::contains)) {
        Arrays.stream(orbit).forEach(c -> all.add(c, c));
      }
    }
    return all.build();
  }

  /** Collects ranges in any order. */
  static final class Builder {
    private long[] pairs = new long[8];
    private int count;

    /** Adds the range; an empty one (from above to) adds nothing. */
    Builder add(int from, int to) {
      if (from <= to) {
        if (count == pairs.length) {
          pairs = Arrays.copyOf(pairs, count * 2);
        }
        pairs[count++] = (long) from << 32 | to;
      }
      return this;
    }

    Builder add(CharSet set) {
      for (int i = 0; i < set.ranges.length; i += 2) {
        add(set.ranges[i], set.ranges[i + 1]);
      }
      return this;
    }

    CharSet build() {
      Arrays.sort(pairs, 0, count);
      int[] merged = new int[count * 2];
      int size = 0;
      for (int i = 0; i < count; i++) {
        int from = (int) (pairs[i] >> 32);
        int to = (int) pairs[i];
        if (size > 0 && from <= merged[size - 1] + 1) {
          merged[size - 1] = Math.max(merged[size - 1], to);
        } else {
          merged[size++] = from;
          merged[size++] = to;
        }
      }
      return new CharSet(Arrays.copyOf(merged, size));
    }
  }
}
