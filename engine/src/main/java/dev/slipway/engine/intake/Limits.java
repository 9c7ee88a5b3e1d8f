package dev.slipway.engine.intake;

/**
 * How much of a text is read before it is refused: bytes, nested collections, and values counted
 * after aliases are followed (so that a small text cannot unfold into a huge one).
 */
public record Limits(int bytes, int depth, int nodes) {
  public static final Limits DEFAULT = new Limits(1 << 20, 64, 10_000);

  /** For trusted files of platform engineers that may be longer than a submitted spec. */
  public static final Limits PROVIDER = new Limits(4 << 20, 64, 100_000);
}
