package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Resources: list them, look at one, try it again, see its outputs. */
@Command(
    name = "resource",
    description = "Lists, shows, retries and refreshes resources.",
    subcommands = {
      ResourceVerbs.ListAll.class,
      ResourceVerbs.Show.class,
      ResourceVerbs.Retry.class,
      ResourceVerbs.Refresh.class,
      ResourceHealthVerb.class,
      ResourceVerbs.Outputs.class
    })
final class ResourceVerbs extends Group {

  @Command(name = "list", description = "Lists resources.")
  static final class ListAll extends Verb {
    @Mixin ApplicationFilter application;

    @Option(names = "--type", paramLabel = "TYPE")
    @Nullable String type;

    @Option(names = "--state", paramLabel = "STATE")
    @Nullable String state;

    @Option(names = "--provider", paramLabel = "NAME")
    @Nullable String provider;

    @Override
    public Integer call() throws Exception {
      show(
          api()
              .list(
                  "/api/resources",
                  Api.query(
                      "application",
                      application.name(),
                      "type",
                      type,
                      "state",
                      state,
                      "provider",
                      provider),
                  10_000),
          new Table()
              .column("ID", "id")
              .column("APPLICATION", "application")
              .column("NAME", "name")
              .column("TYPE", "type")
              .column("STATE", "state")
              .column("HEALTH", "health")
              .column("ENVIRONMENT", "environment")
              .wide("IDENTITY", "identity")
              .wide("PROVIDER", "provider")
              .wide("RUN", "runId"),
          "id",
          "No resources.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "show", description = "Shows one resource.")
  static final class Show extends PlacedVerb {
    @Parameters(paramLabel = "ID|APP/NAME")
    String subject;

    @Override
    public Integer call() throws Exception {
      show(api().get(path("resources", ResourceName.id(api(), subject, environment()))), "id");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "retry", description = "Tries a failed resource again.")
  static final class Retry extends PlacedVerb {
    @Parameters(paramLabel = "ID|APP/NAME")
    String subject;

    @Override
    public Integer call() throws Exception {
      String id = ResourceName.id(api(), subject, environment());
      Map<String, Object> reply = api().post(path("resources", id, "retry"), Map.of(), Map.of());
      err.println("Trying again: " + reply.getOrDefault("state", "requested") + ".");
      return ExitCode.OK.code();
    }
  }

  @Command(
      name = "refresh",
      description = "Looks at the real thing and compares; a difference is drift (exit 1).")
  static final class Refresh extends PlacedVerb {
    @Parameters(paramLabel = "ID|APP/NAME")
    String subject;

    @Mixin WaitOptions waiting;

    @Override
    public Integer call() throws Exception {
      String id = ResourceName.id(api(), subject, environment());
      Object before = sampledAt(api().get(path("resources", id)));
      Map<String, Object> started =
          api().post(path("resources", id, "refresh"), Map.of(), Map.of());
      String run = String.valueOf(started.get("runId"));
      if (Boolean.FALSE.equals(waiting.wait)) {
        err.println("Looking. See what it finds: slipway run show " + run);
        return ExitCode.OK.code();
      }
      Map<String, Object> ended = new RunWatch(api(), err).until(run, waiting.duration());
      if (!"succeeded".equals(ended.get("status"))) {
        throw new Failure(
            ExitCode.FAILED,
            "it could not be looked at",
            "See why: " + Hints.command() + " run show " + run);
      }
      Map<String, Object> resource = applied(id, before);
      boolean drifted = "degraded".equals(resource.get("state"));
      err.println(
          resource.get("name")
              + " is "
              + screen().state(String.valueOf(resource.get("state")))
              + (drifted ? ": " + Watch.reason(resource) : ", as it was left."));
      return (drifted ? ExitCode.FAILED : ExitCode.OK).code();
    }

    /**
     * The resource after its look was applied, which happens in a turn after the run has ended. An
     * unchanged sample may not be written again, so the wait ends after three seconds.
     */
    private Map<String, Object> applied(String id, @Nullable Object before)
        throws InterruptedException {
      Instant until = Instant.now().plusSeconds(3);
      while (true) {
        Map<String, Object> resource = api().get(path("resources", id));
        if (!Objects.equals(before, sampledAt(resource)) || Instant.now().isAfter(until)) {
          return resource;
        }
        Thread.sleep(50);
      }
    }

    private static @Nullable Object sampledAt(Map<String, Object> resource) {
      return resource.get("observed") instanceof Map<?, ?> observed
          ? observed.get("sampledAt")
          : null;
    }
  }

  @Command(name = "outputs", description = "Prints a resource's outputs; secrets are hidden.")
  static final class Outputs extends PlacedVerb {
    @Parameters(paramLabel = "ID|APP/NAME")
    String subject;

    @Option(names = "--reveal", description = "Show secrets too; this is audited.")
    boolean reveal;

    @Override
    public Integer call() throws Exception {
      String id = ResourceName.id(api(), subject, environment());
      Map<String, Object> reply =
          api().get(path("resources", id, "outputs"), Api.query("reveal", reveal ? true : null));
      Map<String, Object> outputs =
          reply.get("outputs") instanceof Map<?, ?> map
              ? dev.slipway.engine.value.Values.map(map)
              : reply;
      if (format(Format.YAML) == Format.JSON) {
        out.println(Json.pretty(outputs));
      } else {
        out.print(Yaml.write(outputs));
      }
      return ExitCode.OK.code();
    }
  }
}
