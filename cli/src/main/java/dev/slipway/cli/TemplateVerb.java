package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.gotemplate.Functions;
import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.TemplateException;
import dev.slipway.gotemplate.sprig.Sprig;
import dev.slipway.gotemplate.sprig.TenantFunctions;
import dev.slipway.gotemplate.sprig.WorkflowFunctions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renders Go templates, for people who write them. */
@Command(name = "template", description = "Renders a Go template and prints it, offline.")
final class TemplateVerb extends Verb {
  /** Which functions a template may call. */
  enum FunctionSet {
    sprig,
    workflow,
    tenant
  }

  @Parameters(paramLabel = "FILE", arity = "0..1", description = "The template.")
  @Nullable Path file;

  @Option(names = "--data", paramLabel = "FILE", description = "JSON or YAML data.")
  @Nullable Path data;

  @Option(
      names = "--functions",
      paramLabel = "SET",
      description = "${COMPLETION-CANDIDATES} (sprig)")
  FunctionSet functions = FunctionSet.sprig;

  @Option(names = "--missing-key", paramLabel = "MODE", description = "default, zero or error")
  String missingKey = "default";

  @Option(
      names = "--cases",
      paramLabel = "FILE",
      description = "Renders many: [{\"template\", \"data\"}] to [{\"output\"} | {\"error\"}].")
  @Nullable Path cases;

  @Override
  public Integer call() {
    if (file != null && cases == null) {
      return one(file);
    }
    if (file == null && cases != null) {
      return many(cases);
    }
    throw new Failure(ExitCode.USAGE, "give either a template FILE or --cases FILE");
  }

  private int one(Path file) {
    Object values = data == null ? Map.of() : document(data);
    try {
      String text = new String(ScoreFile.bytes(file), StandardCharsets.UTF_8);
      out.print(Template.parse(file.toString(), text, settingsOfTemplate()).execute(values));
      out.flush();
      return ExitCode.OK.code();
    } catch (TemplateException e) {
      err.println(String.valueOf(e.getMessage()).replaceFirst("^template: ", ""));
      return ExitCode.FAILED.code();
    }
  }

  private int many(Path cases) {
    if (!(document(cases) instanceof List<?> list)) {
      throw new Failure(ExitCode.FAILED, cases + " is not a list of cases");
    }
    List<Map<String, Object>> results = list.stream().map(c -> render(Values.map(c))).toList();
    out.println(Json.write(results));
    return ExitCode.OK.code();
  }

  private Map<String, Object> render(Map<String, Object> one) {
    Map<String, Object> result = new LinkedHashMap<>();
    try {
      result.put(
          "output",
          Template.parse("template", String.valueOf(one.get("template")), settingsOfTemplate())
              .execute(one.get("data")));
    } catch (TemplateException e) {
      result.put("error", e.getMessage());
    }
    return result;
  }

  private Settings settingsOfTemplate() {
    Functions set =
        switch (functions) {
          case sprig -> Sprig.pure().plus(Sprig.withSettingsClock());
          case workflow -> WorkflowFunctions.all();
          case tenant -> TenantFunctions.all();
        };
    return Settings.DEFAULT
        .withFunctions(set)
        .withClock(Clock.systemUTC())
        .withFieldNames(
            functions == FunctionSet.workflow
                ? Settings.FieldNames.HYPHENATED
                : Settings.FieldNames.GO)
        .withMissingKey(missing());
  }

  private Settings.MissingKey missing() {
    try {
      return Settings.MissingKey.valueOf(missingKey.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new Failure(
          ExitCode.USAGE, "'" + missingKey + "' is no mode", "Modes: default, zero, error.");
    }
  }

  private static Object document(Path file) {
    Diagnostics diagnostics = new Diagnostics();
    Optional<Document> document =
        Document.parse(
            file.toString(),
            ScoreFile.bytes(file),
            new Limits(64 << 20, 200, 10_000_000),
            diagnostics);
    return document
        .map(Document::plain)
        .orElseThrow(() -> new Failure(ExitCode.FAILED, diagnostics.errors().getFirst().text()));
  }
}
