package dev.slipway.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists runs, newest first. */
@Command(name = "runs", description = "Lists runs of workflows, newest first.")
final class RunsVerb extends Verb {
  @Mixin ApplicationFilter application;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "pending, running, waiting, succeeded, failed, partial, cancelled")
  @Nullable String status;

  @Option(names = "--limit", paramLabel = "N", description = "At most this many (50).")
  int limit = 50;

  @Override
  public Integer call() throws Exception {
    show(
        api()
            .list(
                "/api/workflows",
                Api.query("application", application.name(), "status", status),
                limit),
        new Table()
            .column("RUN", "id")
            .column("APPLICATION", "application")
            .column("WORKFLOW", "workflow")
            .column("OPERATION", "operation")
            .column("STATUS", "status")
            .column(
                "TOOK",
                r ->
                    r.get("durationMs") == null
                        ? "-"
                        : Since.shortly(
                            java.time.Duration.ofMillis(
                                ((Number) r.get("durationMs")).longValue())))
            .column(
                "AGE",
                r ->
                    Since.age(r.get("createdAt") == null ? r.get("startedAt") : r.get("createdAt")))
            .column("PART OF", r -> new RunRelations(r).shortly())
            .wide("PROVIDER", "provider")
            .wide("RESOURCE", "resourceId"),
        "id",
        "No runs.");
    return ExitCode.OK.code();
  }
}
