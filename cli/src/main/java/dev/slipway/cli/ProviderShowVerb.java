package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSheet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one provider: of the server, or of a directory without a server. */
@Command(
    name = "show",
    description =
        "Shows a provider's types, operations, parameters and outputs: one of the server by NAME,"
            + " or that in DIR, offline.")
final class ProviderShowVerb extends Verb {
  @Parameters(paramLabel = "NAME|DIR")
  String subject;

  @Override
  public Integer call() throws Exception {
    boolean here = Files.isDirectory(Path.of(subject));
    Map<String, Object> shown =
        here ? offline(Path.of(subject)) : api().get(path("providers", subject));
    if (root().output == null) {
      new ProviderText(screen()).lines(shown).forEach(out::println);
    } else {
      show(shown, "name");
    }
    return ExitCode.OK.code();
  }

  private Map<String, Object> offline(Path directory) {
    ProviderLoader.Loaded loaded = Validation.load(directory);
    loaded.diagnostics().forEach(d -> err.println(d.text()));
    Provider provider =
        loaded
            .provider()
            .orElseThrow(
                () ->
                    new Failure(
                        ExitCode.FAILED,
                        directory + " is no provider that could be used",
                        loaded.diagnostics().stream().anyMatch(Diagnostic::isError)
                            ? List.of("What is wrong is said above.")
                            : List.of()));
    Manifest manifest = provider.manifest();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", provider.name());
    out.put("version", manifest.version());
    out.put("category", manifest.about().category());
    out.put("description", manifest.about().description());
    out.put("tags", manifest.about().tags());
    out.put("source", directory.toString());
    out.put("compatibility", ProviderSheet.compatibility(manifest));
    out.put("types", ProviderSheet.types(provider));
    out.put("workflows", ProviderSheet.workflows(provider));
    return out;
  }
}
