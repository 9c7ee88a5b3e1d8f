package dev.slipway.cli;

import dev.slipway.cli.cases.CaseResult;
import dev.slipway.cli.cases.JUnitReport;
import dev.slipway.cli.cases.TestCase;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the test cases of a provider on an engine of their own. */
@Command(
    name = "test",
    description =
        "Runs the cases in DIR/tests on a private server and compares what comes of them.")
final class ProviderTestVerb extends Verb {
  @Parameters(paramLabel = "DIR")
  Path directory;

  @Option(
      names = "--filter",
      paramLabel = "TEXT",
      description = "Only cases with it in their name.")
  String filter = "";

  @Option(names = "--junit", paramLabel = "FILE", description = "Also write the results as XML.")
  @Nullable Path junit;

  @Option(
      names = "--with",
      paramLabel = "DIR",
      description = "Another provider that this one uses; may be repeated.")
  List<Path> others = List.of();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "An admin-config.yaml for connections and policies; its providers are not used.")
  @Nullable Path config;

  @Option(names = "--timeout", paramLabel = "DURATION", description = "For one case (2m).")
  String timeout = "2m";

  @Option(names = "--keep", description = "Leave the server's data, to look at it afterwards.")
  boolean keep;

  @Override
  public Integer call() throws Exception {
    Provider provider = load();
    TestSuite suite = suite(provider);
    Duration patience =
        DurationText.parse(timeout)
            .orElseThrow(
                () ->
                    new Failure(
                        ExitCode.USAGE, "'" + timeout + "' is no duration", DurationText.FORMS));
    TestConfig settings = TestConfig.of(config, directory, others);
    Instant began = Instant.now();
    List<CaseResult> results;
    try (TestServer server =
        TestServer.start(
            settings.usual(), keep ? TestServer.Afterwards.KEEP : TestServer.Afterwards.REMOVE)) {
      results = run(server, settings, suite, patience);
      sayKept(server);
    }
    if (junit != null) {
      write(new JUnitReport(provider.name(), began, results), junit);
    }
    return summary(provider, began, results).code();
  }

  private Provider load() {
    ProviderLoader.Loaded loaded = Validation.load(directory);
    loaded.diagnostics().stream().filter(Diagnostic::isError).forEach(d -> err.println(d.text()));
    return loaded
        .provider()
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.FAILED,
                    directory + " is no provider that can be tested",
                    "See all problems: " + Hints.command() + " provider validate " + directory));
  }

  private TestSuite suite(Provider provider) {
    TestSuite all = TestSuite.read(directory, provider);
    all.diagnostics().forEach(d -> err.println(d.text()));
    if (all.diagnostics().stream().anyMatch(Diagnostic::isError)) {
      throw new Failure(ExitCode.FAILED, "the test cases cannot be used");
    }
    if (all.size() == 0) {
      throw new Failure(
          ExitCode.FAILED,
          "there are no test cases in " + directory.resolve("tests"),
          "See how they look: " + Hints.command() + " provider init NAME");
    }
    TestSuite some = all.filtered(filter);
    if (some.size() == 0) {
      throw new Failure(
          ExitCode.USAGE,
          "no case has '" + filter + "' in its name",
          "There are: " + String.join("; ", all.names()));
    }
    return some;
  }

  private List<CaseResult> run(
      TestServer server, TestConfig settings, TestSuite suite, Duration patience)
      throws InterruptedException, IOException {
    List<CaseResult> results = new ArrayList<>();
    OwnershipChecks ownership = new OwnershipChecks(server, directory, suite.provider(), patience);
    for (var file : suite.files().entrySet()) {
      for (TestCase testCase : file.getValue()) {
        List<Map<String, Object>> problems = settings.use(server, testCase);
        CaseRun run = new CaseRun(server, testCase, problems, patience);
        CaseResult result = run.run(file.getKey());
        results.add(result);
        tell(result);
        if (!keep) {
          String left = run.cleanUp();
          if (!left.isEmpty()) {
            err.println("          " + screen().paint(Ink.WARN, left));
          }
        }
        if (result.passed()) {
          ownership
              .beside(testCase, run.created(), file.getKey())
              .ifPresent(
                  beside -> {
                    results.add(beside);
                    tell(beside);
                  });
        }
      }
    }
    return results;
  }

  private void tell(CaseResult result) {
    String word =
        result.passed() ? screen().paint(Ink.GOOD, "ok    ") : screen().paint(Ink.BAD, "FAILED");
    err.println(
        "  "
            + word
            + "  "
            + result.testCase().name()
            + "  "
            + screen().paint(Ink.DIM, Since.shortly(result.duration())));
    result.lines().forEach(line -> err.println("          " + coloured(line)));
    if (!result.passed() && !result.log().isEmpty()) {
      err.println("          " + screen().paint(Ink.DIM, "steps wrote:"));
      List<String> log = result.log();
      log.subList(Math.max(0, log.size() - 10), log.size())
          .forEach(line -> err.println("            " + screen().paint(Ink.DIM, line)));
    }
  }

  private String coloured(String line) {
    String text = line.strip();
    return text.startsWith("- ")
        ? screen().paint(Ink.GOOD, line)
        : text.startsWith("+ ") ? screen().paint(Ink.BAD, line) : line;
  }

  private void sayKept(TestServer server) {
    if (keep) {
      err.println("Kept in " + server.directory() + ". Look at it with a server on its data:");
      err.println(
          "  "
              + Hints.command()
              + " up --data "
              + server.data()
              + " --config "
              + server.configFile()
              + " --listen 127.0.0.1:0");
    }
  }

  private static void write(JUnitReport report, Path file) {
    try {
      report.write(file);
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "cannot write " + file + ": " + e.getMessage());
    }
  }

  private ExitCode summary(Provider provider, Instant began, List<CaseResult> results) {
    long failed = results.stream().filter(r -> !r.passed()).count();
    if (root().output != null) {
      show(
          results.stream().map(ProviderTestVerb::row).toList(),
          new Table().column("CASE", "name").column("RESULT", "result").column("FILE", "file"),
          "name",
          "No cases.");
    }
    String counts =
        provider.name()
            + ": "
            + (results.size() - failed)
            + " passed"
            + (failed == 0 ? "" : ", " + failed + " failed");
    err.println(
        screen().paint(failed == 0 ? Ink.GOOD : Ink.BAD, counts)
            + " in "
            + Since.shortly(Duration.between(began, Instant.now()))
            + ".");
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Map<String, Object> row(CaseResult result) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", result.testCase().name());
    row.put("file", result.file());
    row.put("result", result.passed() ? "passed" : "failed");
    row.put("durationMs", result.duration().toMillis());
    row.put("differences", result.lines());
    return row;
  }
}
