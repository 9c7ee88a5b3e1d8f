package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Who did what. */
@Command(name = "audit", description = "Shows who did what, newest first.")
final class AuditVerb extends Verb {
  @Option(names = "--limit", paramLabel = "N", description = "At most this many (50).")
  int limit = 50;

  @Override
  public Integer call() throws Exception {
    show(
        api().list("/api/audit", Map.of(), limit),
        new Table()
            .column("WHEN", "at")
            .column("WHO", "user")
            .column("ACTION", "action")
            .column("OBJECT", "object")
            .column("OUTCOME", "outcome"),
        "id",
        "Nothing yet.");
    return ExitCode.OK.code();
  }
}
