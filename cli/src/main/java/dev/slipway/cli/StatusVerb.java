package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows applications, or one of them with its resources. */
@Command(name = "status", description = "Shows all applications, or one with its resources.")
final class StatusVerb extends PlacedVerb {
  @Parameters(paramLabel = "APP", arity = "0..1")
  @Nullable String application;

  @Override
  public Integer call() throws Exception {
    if (application == null) {
      return all();
    }
    Map<String, Object> found =
        api().get(path("applications", application), Api.query("environment", environment()));
    if (root().output != null) {
      show(found, "name");
      return ExitCode.OK.code();
    }
    Screen screen = screen();
    out.println(
        screen.paint(Ink.BOLD, application)
            + " in "
            + found.get("environment")
            + ", revision "
            + found.get("revision")
            + ": "
            + screen.state(String.valueOf(found.get("state")))
            + health(found, screen));
    List<Map<String, Object>> resources = Api.items(found.get("resources"));
    Table table =
        new Table()
            .column("RESOURCE", "name")
            .column("TYPE", "type")
            .column("STATE", "state")
            .column("HEALTH", "health")
            .column("PROVIDER", "provider")
            .column("SINCE", r -> Since.age(r.get("updatedAt")))
            .column("REASON", Watch::reason);
    table.lines(resources, Format.TABLE, screen).forEach(out::println);
    if (!"active".equals(found.get("state"))) {
      err.println("See why: slipway explain " + application + Hints.in(environment()));
    }
    return ExitCode.OK.code();
  }

  /** A server of the version before says none. */
  private static String health(Map<String, Object> application, Screen screen) {
    return application.get("health") instanceof String health
        ? ", " + screen.state(health) + " (" + application.get("coverage") + ")"
        : "";
  }

  private int all() throws InterruptedException {
    show(
        api()
            .list(
                "/api/applications",
                Api.query("environment", settings().environment().orElse(null)),
                1000),
        new Table()
            .column("NAME", "name")
            .column("ENVIRONMENT", "environment")
            .column("TEAM", "team")
            .column("STATE", "state")
            .column(
                "RESOURCES",
                r ->
                    r.containsKey("active")
                        ? r.get("active") + "/" + r.get("resources")
                        : Table.text(r.get("resources")))
            .column("REVISION", "revision")
            .column("AGE", r -> Since.age(r.get("createdAt"))),
        "name",
        "No applications yet. Deploy one: slipway deploy FILE");
    return ExitCode.OK.code();
  }
}
