package dev.slipway.postgres.leases;

/** A write under a lease that has expired or has another owner: nothing was written. */
public final class LeaseLostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LeaseLostException(String name, long epoch) {
    super(
        "lease '%s' of epoch %d belongs to this replica no more: nothing was written. Stop the work under it; its present owner does it."
            .formatted(name, epoch));
  }
}
