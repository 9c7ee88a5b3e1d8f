package dev.slipway.git;

import org.jspecify.annotations.Nullable;

/**
 * What a repository elsewhere looks like after somebody wrote there.
 *
 * @param commit null when the repository is empty and stays so
 */
public record Written(@Nullable String commit, String branch, Effect effect) {
  /** Whether anything had to be done. */
  public enum Effect {
    CHANGED,
    /** It was like that already. */
    NONE
  }
}
