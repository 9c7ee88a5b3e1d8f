package dev.slipway.programs;

import java.nio.file.Path;

/** The directory of this user for what can be made again: {@code $XDG_CACHE_HOME/slipway}. */
public final class UserCache {
  private UserCache() {}

  /** The directory; it may not exist yet. */
  public static Path directory() {
    String base = System.getenv("XDG_CACHE_HOME");
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    return (base == null || base.isBlank() ? home : Path.of(base)).resolve("slipway");
  }
}
