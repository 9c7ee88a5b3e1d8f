package dev.slipway.git;

import org.jspecify.annotations.Nullable;

/**
 * The result of writing to a remote repository.
 *
 * @param commit null when the repository is empty and stays so
 */
public record Written(@Nullable String commit, String branch, Effect effect) {
  /** Whether the remote changed. */
  public enum Effect {
    CHANGED,
    /** It had the wanted content already. */
    NONE
  }
}
