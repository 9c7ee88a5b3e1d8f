package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** States of Terraform modules. */
@Command(
    name = "state",
    description = "Lists and restores states of a resource's Terraform modules; for operators.",
    subcommands = {StateVerbs.ListAll.class, StateVerbs.Restore.class})
final class StateVerbs extends Group {

  @Command(name = "list", description = "Lists the states that are kept, newest first.")
  static final class ListAll extends PlacedVerb {
    @Parameters(paramLabel = "ID|APP/NAME")
    String subject;

    @Override
    public Integer call() throws Exception {
      String id = ResourceName.id(api(), subject, environment());
      show(
          api().list(path("resources", id, "states"), Map.of(), 1000),
          new Table()
              .column("VERSION", "version")
              .column("MODULE", "module")
              .column("STANDING", "standing")
              .column("AGE", r -> Since.age(r.get("writtenAt")))
              .column("BYTES", "bytes")
              .column("RUN", "runId"),
          "version",
          "No states.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "restore", description = "Lets the next run begin with a state that is kept.")
  static final class Restore extends PlacedVerb {
    @Parameters(paramLabel = "ID|APP/NAME")
    String subject;

    @Option(names = "--version", required = true, paramLabel = "N", description = "Which state.")
    long version;

    @Option(
        names = "--module",
        paramLabel = "MODULE",
        description = "Which module, when several have that version.")
    @Nullable String module;

    @Override
    public Integer call() throws Exception {
      String id = ResourceName.id(api(), subject, environment());
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("version", version);
      if (module != null) {
        body.put("module", module);
      }
      Map<String, Object> reply =
          api().post(path("resources", id, "states", "restore"), Map.of(), body);
      err.println(
          "The next run begins with version %s of %s."
              .formatted(reply.get("version"), reply.get("module")));
      return ExitCode.OK.code();
    }
  }
}
