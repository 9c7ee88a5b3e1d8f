package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The meanings of exit codes of programs. */
final class ProgramExit {
  /** The script of a read step found that its resource does not exist. */
  private static final int MISSING = 76;

  /** {@code EX_NOPERM}: the script found an object that was not created for its resource. */
  private static final int NOT_OURS = 77;

  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;
  private static final int SIGNALS = 128;
  private static final Map<Integer, String> NAMES =
      Map.of(
          1, "HUP", 2, "INT", 3, "QUIT", 6, "ABRT", 8, "FPE", 9, "KILL", 11, "SEGV", 13, "PIPE", 14,
          "ALRM", 15, "TERM");

  private ProgramExit() {}

  /** The error of a program that ended with a failure code; {@code path} is where it looked. */
  static StepError error(int code, String said, String path) {
    if (code == NOT_OURS) {
      return StepError.permanent(
          StepError.NOT_OURS,
          "the provider refused what was not made for this resource" + said,
          "Nothing was changed. Use another name, or have the thing's owner consent to its"
              + " adoption.");
    }
    if (code == MISSING) {
      return StepError.permanent(StepError.MISSING, "what the provider made is gone" + said, null);
    }
    return StepError.permanent(
        "exit-code", "exit code " + code + bySignal(code) + said, hint(code, path));
  }

  private static String bySignal(int code) {
    String name = NAMES.get(code - SIGNALS);
    return name == null ? "" : " (signal " + name + ")";
  }

  private static @Nullable String hint(int code, String path) {
    return switch (code) {
      case NOT_EXECUTABLE -> "A file was found that may not be executed.";
      case NOT_FOUND ->
          "A program was not found on " + path + ": install it there, or correct its name.";
      case SIGNALS + 9 ->
          "Something killed it: when a machine runs out of memory the kernel ends steps first.";
      default -> null;
    };
  }
}
