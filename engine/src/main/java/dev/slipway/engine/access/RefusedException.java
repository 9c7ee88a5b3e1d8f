package dev.slipway.engine.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request was turned down; carries why. Rolls back whatever transaction it passes through. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /** For this reason. */
  public RefusedException(Refusal refusal) {
    super(refusal.message());
    this.refusal = refusal;
  }

  /** Because the state of things does not allow it; nothing else stands in the way. */
  public static RefusedException conflict(String code, String message, @Nullable String hint) {
    return new RefusedException(new Refusal.Conflict(code, message, hint, List.of()));
  }

  /** The reason. */
  public Refusal refusal() {
    return refusal;
  }
}
