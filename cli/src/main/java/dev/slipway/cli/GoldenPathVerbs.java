package dev.slipway.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Golden paths: workflows that people start. */
@Command(
    name = "golden-path",
    description = "Lists, shows and runs golden paths.",
    subcommands = {
      GoldenPathVerbs.ListAll.class,
      GoldenPathVerbs.Show.class,
      GoldenPathVerbs.Run.class
    })
final class GoldenPathVerbs extends Group {

  @Command(name = "list", description = "Lists golden paths.")
  static final class ListAll extends Verb {
    @Override
    public Integer call() throws Exception {
      show(
          api().list("/api/golden-paths", Map.of(), 1000),
          new Table()
              .column("NAME", "name")
              .column("PROVIDER", "provider")
              .column("DESCRIPTION", "description"),
          "name",
          "No golden paths. Providers offer them as workflows with category: goldenpath.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "show", description = "Shows a golden path with its parameters.")
  static final class Show extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Override
    public Integer call() throws Exception {
      show(api().get(path("golden-paths", name)), "name");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "run", description = "Runs a golden path.")
  static final class Run extends Verb {
    @Parameters(index = "0", paramLabel = "NAME")
    String name;

    @Parameters(
        index = "1",
        paramLabel = "FILE",
        arity = "0..1",
        description = "A Score file for the path.")
    Path file;

    @Option(
        names = {"-p", "--param"},
        paramLabel = "K=V")
    Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
        names = {"-e", "--environment"},
        paramLabel = "NAME")
    String environment;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("parameters", parameters);
      if (file != null) {
        body.put("spec", new String(ScoreFile.read(file), StandardCharsets.UTF_8));
      }
      Map<String, Object> run =
          api()
              .post(
                  path("golden-paths", name, "execute"),
                  Api.query("environment", environment),
                  body);
      err.println("Run " + run.get("id") + ". Look at it: slipway run show " + run.get("id"));
      return ExitCode.OK.code();
    }
  }
}
