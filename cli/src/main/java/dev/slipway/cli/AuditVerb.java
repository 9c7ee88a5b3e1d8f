package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who did what. */
@Command(
    name = "audit",
    description = "Shows who did what, newest first; keeps entries from being removed.",
    subcommands = {AuditHoldVerb.class, AuditVerb.Holds.class, AuditVerb.Lift.class})
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

  @Command(name = "holds", description = "Lists legal holds.")
  static final class Holds extends Verb {
    @Override
    public Integer call() throws Exception {
      show(
          api().list("/api/audit/holds", Map.of(), 1000),
          new Table()
              .column("ID", "id")
              .column("REASON", "reason")
              .column("TEAM", "team")
              .column("OBJECT", "object")
              .column("SET BY", "createdBy")
              .column("LIFTED BY", "liftedBy"),
          "id",
          "No holds.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "lift", description = "Lifts a legal hold.")
  static final class Lift extends Verb {
    @Parameters(paramLabel = "ID")
    String id;

    @Override
    public Integer call() throws Exception {
      api().delete(path("audit", "holds", id), Map.of());
      err.println("Lifted.");
      return ExitCode.OK.code();
    }
  }
}
