package dev.slipway.kubernetes.health;

/**
 * A kind of object in any of its versions.
 *
 * @param group empty for the core group
 */
public record GroupKind(String group, String kind) {
  /** {@code GROUP/KIND}, or {@code KIND} in the core group, as Argo CD writes it. */
  public String text() {
    return group.isEmpty() ? kind : group + "/" + kind;
  }

  @Override
  public String toString() {
    return text();
  }
}
