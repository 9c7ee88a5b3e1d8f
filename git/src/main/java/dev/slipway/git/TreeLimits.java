package dev.slipway.git;

/**
 * How large a commit's files may be when they are written to a disk.
 *
 * @param entries files, links and directories together
 * @param bytes of all files
 * @param pathLength characters of a path inside the repository
 * @param depth directories inside each other
 */
public record TreeLimits(int entries, long bytes, int pathLength, int depth) {
  /** For providers and for steps. */
  public static final TreeLimits USUAL = new TreeLimits(50_000, 256L << 20, 1024, 64);
}
