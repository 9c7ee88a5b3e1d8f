package dev.slipway.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Follows one run to its end, a line for each step that has news. */
final class RunWatch {
  private static final List<String> OVER = List.of("succeeded", "failed", "partial", "cancelled");
  private static final Duration PAUSE = Duration.ofMillis(150);

  private final Api api;
  private final PrintStream err;
  private final Map<String, String> printed = new HashMap<>();

  RunWatch(Api api, PrintStream err) {
    this.api = api;
    this.err = err;
  }

  /** The run when it has ended, or when it waits for a person. */
  Map<String, Object> until(String id, Duration timeout) throws InterruptedException {
    Instant until = Instant.now().plus(timeout);
    while (true) {
      Map<String, Object> run = api.get(Verb.path("workflows", id));
      List<Map<String, Object>> steps = Api.items(run.get("steps"));
      steps.forEach(this::tell);
      boolean asks = steps.stream().anyMatch(RunWatch::waitsForApproval);
      if (asks || OVER.contains(String.valueOf(run.get("status")))) {
        return run;
      }
      if (Instant.now().isAfter(until)) {
        throw new Failure(
            ExitCode.TIMEOUT,
            "run " + id + " is not done yet",
            "It goes on. Look at it: " + Hints.command() + " run show " + id);
      }
      Thread.sleep(PAUSE);
    }
  }

  static boolean waitsForApproval(Map<String, Object> step) {
    return "approval".equals(step.get("waitingFor"));
  }

  private void tell(Map<String, Object> step) {
    String name = String.valueOf(step.get("name"));
    String status = String.valueOf(step.get("status"));
    if (!status.equals("pending") && !status.equals(printed.put(name, status))) {
      err.println("  %-14s %s".formatted(name, status));
    }
  }
}
