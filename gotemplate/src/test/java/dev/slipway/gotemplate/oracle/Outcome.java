package dev.slipway.gotemplate.oracle;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** The result of a case on one of the two sides. */
sealed interface Outcome {
  /** The template wrote this text; its bytes are compared. */
  record Written(byte[] bytes) implements Outcome {
    @Override
    public String toString() {
      String text = new String(bytes, StandardCharsets.UTF_8);
      boolean exact = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
      return exact ? "wrote " + visible(text) : "wrote bytes " + HexFormat.of().formatHex(bytes);
    }
  }

  /** The template failed; the message is for the reader, the rest is compared. */
  record Failed(Phase phase, int line, String meaning, String message) implements Outcome {
    @Override
    public String toString() {
      return "failed %s line %d, %s: %s".formatted(phase, line, meaning, visible(message));
    }
  }

  /** Something else than a template error came out, which is always wrong. */
  record Crashed(Throwable cause) implements Outcome {
    @Override
    public String toString() {
      StackTraceElement[] trace = cause.getStackTrace();
      return "crashed: " + cause + (trace.length == 0 ? "" : " at " + trace[0]);
    }
  }

  /** When a template failed. */
  enum Phase {
    PARSE,
    EXECUTE
  }

  /** Go knows no limits; those of the oracle are not bound to a line. */
  String LIMIT = "limit";

  /** Whether both sides mean the same. */
  static boolean same(Outcome go, Outcome java) {
    return switch (go) {
      case null -> false;
      case Written expected ->
          java instanceof Written actual && Arrays.equals(expected.bytes(), actual.bytes());
      case Failed expected ->
          java instanceof Failed actual
              && expected.phase() == actual.phase()
              && (expected.line() == actual.line() || expected.meaning().equals(LIMIT))
              && expected.meaning().equals(actual.meaning());
      case Crashed _ -> false;
    };
  }

  private static String visible(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
  }
}
