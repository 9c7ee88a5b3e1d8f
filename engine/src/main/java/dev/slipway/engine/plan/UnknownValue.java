package dev.slipway.engine.plan;

/** In the place of a value that is not known yet. */
public enum UnknownValue {
  VALUE;

  @Override
  public String toString() {
    return FieldChange.LATER;
  }
}
