package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepLog;
import org.jspecify.annotations.Nullable;

/** Passes lines on and keeps the first error that is not of a host, with its place. */
final class AnsibleErrorWatch implements StepLog {
  private static final int LONGEST = 500;

  private final StepLog log;
  private final String root;
  private volatile @Nullable String error;
  private volatile @Nullable String origin;

  AnsibleErrorWatch(StepCall call) {
    this.log = call.log();
    this.root = call.scope().providerDirectory() + "/";
  }

  @Override
  public void line(Stream stream, String text) {
    if (stream == Stream.STDERR && error == null) {
      error = after("[ERROR]: ", text) == null ? after("ERROR! ", text) : after("[ERROR]: ", text);
    } else if (stream == Stream.STDERR && origin == null) {
      origin = after("Origin: ", text);
    }
    log.line(stream, text);
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
