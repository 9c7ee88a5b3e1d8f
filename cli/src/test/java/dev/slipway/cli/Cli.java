package dev.slipway.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The command line, called in this process. */
final class Cli {
  private final List<String> always;

  /** With these arguments at the end of every call. */
  Cli(String... always) {
    this.always = List.of(always);
  }

  List<String> always() {
    return always;
  }

  /** What a command printed and how it ended. */
  record Result(int exitCode, String out, String err) {
    Result expect(ExitCode code) {
      if (exitCode != code.code()) {
        throw new AssertionError("exit code " + exitCode + "\n" + out + "\n" + err);
      }
      return this;
    }
  }

  /** One command at a time, because all print to the same streams. */
  Result run(Object... arguments) {
    List<String> all = new ArrayList<>();
    for (Object argument : arguments) {
      all.add(String.valueOf(argument));
    }
    all.addAll(always);
    synchronized (Cli.class) {
      PrintStream realOut = System.out;
      PrintStream realErr = System.err;
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      try {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        int code = Main.run(all.toArray(String[]::new));
        return new Result(
            code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
      } finally {
        System.setOut(realOut);
        System.setErr(realErr);
      }
    }
  }
}
