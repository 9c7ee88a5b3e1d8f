package dev.slipway.gotemplate;

/**
 * An integer of a Go kind other than {@code int}: sprig's arithmetic gives {@code int64}, ranging
 * over or indexing text gives {@code int32} (rune) and {@code uint8} (byte). Plain {@code int} is
 * {@link Long}.
 *
 * @param kind the integer kind
 * @param value the value; for {@code uint64} and {@code uint} the same 64 bits
 */
public record GoInteger(Kind kind, long value) {
  /** Refuses kinds that are not integers. */
  public GoInteger {
    if (!kind.signed() && !kind.unsigned()) {
      throw new IllegalArgumentException(kind + " is not an integer kind");
    }
  }

  /** An {@code int64}, as sprig's arithmetic gives. */
  public static GoInteger int64(long value) {
    return new GoInteger(Kind.INT64, value);
  }

  /** An {@code int32}, which Go also calls rune. */
  public static GoInteger rune(int codePoint) {
    return new GoInteger(Kind.INT32, codePoint);
  }

  /** An {@code uint8}, which Go also calls byte. */
  public static GoInteger octet(int octet) {
    return new GoInteger(Kind.UINT8, octet & 0xff);
  }

  @Override
  public String toString() {
    return kind.unsigned() ? Long.toUnsignedString(value) : Long.toString(value);
  }
}
