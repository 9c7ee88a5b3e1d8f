package dev.slipway.engine.access;

/** A request was turned down; carries why. Rolls back whatever transaction it passes through. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /** For this reason. */
  public RefusedException(Refusal refusal) {
    super(refusal.message());
    this.refusal = refusal;
  }

  /** The reason. */
  public Refusal refusal() {
    return refusal;
  }
}
