package dev.slipway.cli;

/** What {@code -o} takes. */
enum Format {
  TABLE,
  WIDE,
  JSON,
  YAML,
  NAME
}
