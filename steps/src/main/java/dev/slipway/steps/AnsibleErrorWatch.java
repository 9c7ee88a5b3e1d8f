package dev.slipway.steps;

import dev.slipway.engine.execute.StepLog.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps the first error that is not of a host, with its place. */
final class AnsibleErrorWatch {
  private static final int LONGEST = 500;

  private final String root;
  private volatile @Nullable String error;
  private volatile @Nullable String origin;

  /** For a provider whose files are in that directory. */
  AnsibleErrorWatch(@Nullable String directory) {
    this.root = directory + "/";
  }

  /** Takes a line that the playbook has printed. */
  void heard(Stream stream, String text) {
    if (stream == Stream.STDERR && error == null) {
      error = after("[ERROR]: ", text) == null ? after("ERROR! ", text) : after("[ERROR]: ", text);
    } else if (stream == Stream.STDERR && origin == null) {
      origin = after("Origin: ", text);
    }
  }

  private static @Nullable String after(String prefix, String text) {
    return text.startsWith(prefix)
        ? text.substring(prefix.length(), Math.min(text.length(), prefix.length() + LONGEST))
        : null;
  }

  String said() {
    String place = origin == null ? "" : " (" + origin.replace(root, "") + ")";
    return error == null ? "" : ": " + error + place;
  }
}
