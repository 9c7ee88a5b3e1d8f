package dev.slipway.gotemplate.sprig;

/** An object whose JSON is not its text. */
interface JsonValue {
  /** The value to write instead. */
  Object json();
}
