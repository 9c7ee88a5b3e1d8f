package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "health",
    description = "Lists the changes of a resource's health that looks have found, newest first.")
final class ResourceHealthVerb extends PlacedVerb {
  @Parameters(paramLabel = "ID|APP/NAME")
  String subject;

  @Override
  public Integer call() throws Exception {
    String id = ResourceName.id(api(), subject, environment());
    show(
        api().list(path("resources", id, "health"), Map.of(), 1_000),
        new Table()
            .column("AT", "at")
            .column("HEALTH", "health")
            .column("MESSAGE", "message")
            .wide("REVISION", "revision"),
        "at",
        "No look at it has ended yet.");
    return ExitCode.OK.code();
  }
}
