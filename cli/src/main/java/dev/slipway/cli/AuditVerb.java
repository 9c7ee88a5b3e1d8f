package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who did what. */
@Command(
    name = "audit",
    description = "Shows who did what, newest first; keeps entries from being removed.",
    subcommands = {AuditVerb.Hold.class, AuditVerb.Holds.class, AuditVerb.Lift.class})
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

  @Command(
      name = "hold",
      description = "Sets a legal hold: retention removes no entry that fits, until it is lifted.")
  static final class Hold extends Verb {
    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why.")
    String reason;

    @Option(names = "--of-team", paramLabel = "TEAM", description = "Only entries of this team.")
    @Nullable String ofTeam;

    @Option(
        names = "--object",
        paramLabel = "PATH",
        description = "Only entries of this object and what is below it, such as /api/users/dora.")
    @Nullable String object;

    @Option(names = "--from", paramLabel = "TIME", description = "Only entries since then.")
    @Nullable String from;

    @Option(names = "--until", paramLabel = "TIME", description = "Only entries before then.")
    @Nullable String until;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("reason", reason);
      body.put("team", ofTeam);
      body.put("object", object);
      body.put("from", from);
      body.put("until", until);
      body.values().removeIf(Objects::isNull);
      show(api().post("/api/audit/holds", Map.of(), body), "id");
      return ExitCode.OK.code();
    }
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
