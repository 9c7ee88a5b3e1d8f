package dev.slipway.git;

/**
 * Limits of a commit's files on disk.
 *
 * @param entries files, links and directories together
 * @param bytes of all files
 * @param pathLength characters of a path inside the repository
 * @param depth nested directories
 */
public record TreeLimits(int entries, long bytes, int pathLength, int depth) {
  /** The limits of providers and steps. */
  public static final TreeLimits USUAL = new TreeLimits(50_000, 256L << 20, 1024, 64);
}
