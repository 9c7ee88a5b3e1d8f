package dev.slipway.steps.process;

import java.nio.file.Path;

/** Names of providers and steps as file names: always a single path segment. */
public final class PathName {
  private PathName() {}

  /** The entry of that name directly below a directory, for any name. */
  public static Path below(Path parent, String name) {
    Path child = parent.resolve(segment(name));
    if (!parent.equals(child.normalize().getParent())) {
      throw new IllegalArgumentException("'" + name + "' is no name for a file");
    }
    return child;
  }

  static String segment(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^\\.+", "_");
    return plain.isEmpty() ? "_" : plain;
  }
}
