package dev.slipway.cli;

import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One run: look at it, try it again, stop it. */
@Command(
    name = "run",
    description = "Shows, retries or cancels one run.",
    subcommands = {RunVerbs.Show.class, RunVerbs.Retry.class, RunVerbs.Cancel.class})
final class RunVerbs extends Group {

  @Command(name = "show", description = "Shows a run with its steps.")
  static final class Show extends Verb {
    @Parameters(paramLabel = "ID")
    String id;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> run = api().get(path("workflows", id));
      if (root().output != null) {
        show(run, "id");
        return ExitCode.OK.code();
      }
      out.println(
          run.get("provider")
              + "/"
              + run.get("workflow")
              + " "
              + screen().state(String.valueOf(run.get("status"))));
      Object error = run.get("error");
      if (error != null) {
        out.println("  " + Values.map(error).get("message"));
      }
      new RunRelations(run).lines().forEach(line -> out.println("  " + line));
      new Table()
          .column("STEP", "name")
          .column("TYPE", "type")
          .column("STATUS", "status")
          .column("ATTEMPT", "attempt")
          .column("WAITING FOR", "waitingFor")
          .column(
              "ERROR",
              s ->
                  s.get("error") == null
                      ? "-"
                      : Table.text(Values.map(s.get("error")).get("message")))
          .lines(Api.items(run.get("steps")), Format.TABLE, screen())
          .forEach(out::println);
      return ExitCode.OK.code();
    }
  }

  @Command(
      name = "retry",
      description = "Starts a new run that takes over the steps that succeeded.")
  static final class Retry extends Verb {
    @Parameters(paramLabel = "ID")
    String id;

    @Option(
        names = "--from",
        paramLabel = "STEP",
        description = "Begin here instead of at the failed step.")
    @Nullable String from;

    @Option(names = "--latest", description = "With the provider's newest definition.")
    boolean latest;

    @Option(
        names = "--rollback",
        description = "Undo what the rollback of a failed run could not undo.")
    boolean rollback;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> body = new LinkedHashMap<>();
      if (rollback) {
        body.put("rollback", true);
      }
      if (from != null) {
        body.put("from", from);
      }
      if (latest) {
        body.put("definition", "latest");
      }
      Map<String, Object> run = api().post(path("workflows", id, "retry"), Map.of(), body);
      err.println("New run " + run.get("id") + ". Look at it: slipway run show " + run.get("id"));
      return ExitCode.OK.code();
    }
  }

  @Command(name = "cancel", description = "Stops a run and what it is doing.")
  static final class Cancel extends Verb {
    @Parameters(paramLabel = "ID")
    String id;

    @Option(names = "--force", description = "Do not run the steps that always run.")
    boolean force;

    @Mixin Consent consent;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> run = api().get(path("workflows", id));
      err.println(
          "This stops " + run.get("provider") + "/" + run.get("workflow") + whose(run) + ":");
      for (Map<String, Object> step : Api.items(run.get("steps"))) {
        err.println("  - " + step.get("name") + " (" + step.get("status") + ")");
      }
      consent.to("Cancel run " + id + "?");
      api()
          .post(path("workflows", id, "cancel"), Api.query("force", force ? true : null), Map.of());
      err.println("Asked to stop. Look at it: slipway run show " + id);
      return ExitCode.OK.code();
    }

    private static String whose(Map<String, Object> run) {
      return run.get("application") == null
          ? ""
          : " of " + run.get("application") + "/" + run.get("resource");
    }
  }
}
