package dev.slipway.cli;

import java.util.List;

/**
 * A verb that ends early: what is wrong, more lines about it (what to do next), and the exit code.
 */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;
  private final ExitCode exitCode;

  Failure(ExitCode exitCode, String message, String... lines) {
    this(exitCode, message, List.of(lines));
  }

  Failure(ExitCode exitCode, String message, List<String> lines) {
    super(message);
    this.exitCode = exitCode;
    this.lines = lines.stream().filter(l -> !l.isBlank()).toList();
  }

  List<String> lines() {
    return lines;
  }

  ExitCode exitCode() {
    return exitCode;
  }
}
