package dev.slipway.cli;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.value.Values;
import java.io.Console;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a golden path; on a terminal it asks for the parameters that were not given. */
@Command(
    name = "run",
    description = "Runs a golden path. On a terminal, parameters that are not given are asked for.")
final class GoldenPathRunVerb extends PlacedVerb {
  @Parameters(index = "0", paramLabel = "NAME")
  String name;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      description = "A Score file for the path.")
  @Nullable Path file;

  @Option(
      names = {"-p", "--param"},
      paramLabel = "K=V",
      description = "A parameter; may be repeated.")
  Map<String, String> given = new LinkedHashMap<>();

  @Option(names = "--team", paramLabel = "NAME", description = "Whose run it is.")
  @Nullable String team;

  @Option(names = "--defaults", description = "Do not ask for what has a default or is optional.")
  boolean defaults;

  @Mixin WaitOptions waiting;

  @Override
  public Integer call() throws Exception {
    Map<String, Object> path = api().get(path("golden-paths", name));
    List<Map<String, Object>> declared = Api.items(path.get("parameters"));
    refuseUnknown(declared);
    Map<String, Object> parameters = new LinkedHashMap<>(given);
    Console console = System.console();
    if (console != null && console.isTerminal()) {
      new ParameterPrompts(console, screen(), so -> faults(so))
          .ask(declared.stream().filter(this::asksFor).toList(), parameters);
    } else {
      refuseMissing(declared);
    }
    Map<String, Object> run =
        api().post(path("golden-paths", name, "execute"), query(null), body(parameters));
    if (run.get("approvalId") != null) {
      return waitsForApproval(name, run);
    }
    String id = String.valueOf(run.get("id"));
    if (!waiting.waits(screen())) {
      err.println("Run " + id + ". Look at it: " + Hints.command() + " run show " + id);
      if (root().output != null) {
        show(run, "id");
      }
      return ExitCode.OK.code();
    }
    return follow(id).code();
  }

  private ExitCode follow(String id) throws InterruptedException {
    Map<String, Object> ended = new RunWatch(api(), err).until(id, waiting.duration());
    String status = String.valueOf(ended.get("status"));
    if (Api.items(ended.get("steps")).stream().anyMatch(RunWatch::waitsForApproval)) {
      err.println(name + " waits for an approval: " + Hints.command() + " status; approve ID");
      return ExitCode.WAITING_FOR_APPROVAL;
    }
    if (root().output != null) {
      show(ended, "id");
    } else if (ended.get("outputs") instanceof Map<?, ?> outputs && !outputs.isEmpty()) {
      out.print(Yaml.write(Values.map(outputs)));
    }
    if (!status.equals("succeeded")) {
      Object error = ended.get("error");
      throw new Failure(
          ExitCode.FAILED,
          name + " " + status + (error == null ? "" : ": " + Values.map(error).get("message")),
          "See more: " + Hints.command() + " run show " + id);
    }
    err.println(screen().paint(Ink.GOOD, name + " succeeded."));
    return ExitCode.OK;
  }

  private Map<String, Object> query(@Nullable Boolean dryRun) {
    return Api.query(
        "environment", settings().environment().orElse(null), "team", team, "dryRun", dryRun);
  }

  private Map<String, Object> body(Map<String, Object> parameters) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("parameters", parameters);
    if (file != null) {
      body.put("spec", new String(ScoreFile.read(file), StandardCharsets.UTF_8));
    }
    return body;
  }

  /** What the server has against these parameters: sentences by parameter. */
  private Map<String, String> faults(Map<String, Object> parameters) throws InterruptedException {
    Api.Reply reply =
        api().ask("POST", path("golden-paths", name, "execute"), query(true), body(parameters));
    List<Map<String, Object>> errors = Api.items(reply.body().get("errors"));
    if (!reply.ok() && errors.isEmpty()) {
      // Not about parameters: report it before the first prompt.
      api().post(path("golden-paths", name, "execute"), query(true), body(parameters));
    }
    Map<String, String> faults = new LinkedHashMap<>();
    for (Map<String, Object> error : errors) {
      String parameter = String.valueOf(error.get("path")).replaceFirst("^parameters\\.", "");
      Object hint = error.get("hint");
      faults.put(parameter, error.get("message") + (hint == null ? "" : ". " + hint));
    }
    return faults;
  }

  private boolean asksFor(Map<String, Object> parameter) {
    boolean optional =
        !Boolean.TRUE.equals(parameter.get("required")) || parameter.get("default") != null;
    return !given.containsKey(String.valueOf(parameter.get("name"))) && !(defaults && optional);
  }

  private void refuseMissing(List<Map<String, Object>> declared) {
    List<String> missing =
        declared.stream()
            .filter(p -> Boolean.TRUE.equals(p.get("required")) && p.get("default") == null)
            .map(p -> String.valueOf(p.get("name")))
            .filter(p -> !given.containsKey(p))
            .toList();
    if (!missing.isEmpty()) {
      throw new Failure(
          ExitCode.USAGE,
          name
              + " needs "
              + String.join(", ", missing)
              + ", and there is no terminal to ask for them on",
          missing.stream().map(m -> "Add: --param " + m + "=VALUE").toList());
    }
  }

  /** A slip of the pen would otherwise be passed on as one more parameter. */
  private void refuseUnknown(List<Map<String, Object>> declared) {
    List<String> names = declared.stream().map(p -> String.valueOf(p.get("name"))).toList();
    for (String parameter : given.keySet()) {
      String hint = Nearest.hint(parameter, names);
      if (!names.contains(parameter) && hint != null) {
        throw new Failure(ExitCode.USAGE, name + " has no parameter '" + parameter + "'", hint);
      }
    }
  }
}
