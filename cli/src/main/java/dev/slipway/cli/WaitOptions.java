package dev.slipway.cli;

import dev.slipway.engine.intake.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether and how long a verb waits. */
final class WaitOptions {
  @Option(
      names = "--wait",
      negatable = true,
      description = "Wait for the end (default on a terminal).")
  @Nullable Boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Stop waiting after this long (30m).")
  String timeout = "30m";

  boolean waits(Screen screen) {
    return wait == null ? screen.terminal() : wait;
  }

  Duration duration() {
    return DurationText.parse(timeout)
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.USAGE, "'" + timeout + "' is no duration", DurationText.FORMS));
  }
}
