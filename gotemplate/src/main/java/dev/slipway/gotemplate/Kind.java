package dev.slipway.gotemplate;

import java.util.Locale;

/** Go's kinds, as far as template values have them; {@link #toString} gives Go's spelling. */
public enum Kind {
  INVALID,
  BOOL,
  INT,
  INT8,
  INT16,
  INT32,
  INT64,
  UINT,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
  FLOAT32,
  FLOAT64,
  STRING,
  SLICE,
  MAP,
  STRUCT,
  PTR,
  FUNC,
  INTERFACE;

  private final String goName = name().toLowerCase(Locale.ROOT);

  /** Whether values of this kind are signed integers. */
  public boolean signed() {
    return this == INT || this == INT8 || this == INT16 || this == INT32 || this == INT64;
  }

  /** Whether values of this kind are unsigned integers. */
  public boolean unsigned() {
    return this == UINT || this == UINT8 || this == UINT16 || this == UINT32 || this == UINT64;
  }

  /** Whether values of this kind are floating point numbers. */
  public boolean floating() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /** Whether {@code nil} can stand for a value of this kind. */
  public boolean nilable() {
    return this == SLICE || this == MAP || this == PTR || this == FUNC || this == INTERFACE;
  }

  @Override
  public String toString() {
    return goName;
  }
}
