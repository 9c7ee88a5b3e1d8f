package dev.slipway.kubernetes.watch;

import dev.slipway.kubernetes.cluster.ApiKind;

/**
 * Something happened to an object that Slipway did not do.
 *
 * @param owner the id that its stamp names
 * @param object namespace and name
 */
public record OwnedChange(String owner, ApiKind kind, String object, What what) {
  /** What happened. */
  public enum What {
    /** It is gone, or lost the label of its owner. */
    DELETED,
    /** Another client has taken or removed fields that we had applied. */
    FIELDS,
    /** The rules of health say something else. */
    HEALTH
  }
}
