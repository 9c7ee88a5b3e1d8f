package dev.slipway.applications.plan;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.resolve.Breach;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What planning has against a document, each with its place. */
final class PlanFindings {
  private static final String BROKEN =
      "Some providers could not be loaded: slipway provider conflicts";

  private final @Nullable Document document;
  private final Diagnostics diagnostics = new Diagnostics();

  PlanFindings(@Nullable Document document) {
    this.document = document;
  }

  List<Diagnostic> errors() {
    return diagnostics.errors();
  }

  List<Diagnostic> warnings() {
    return diagnostics.warnings();
  }

  void error(Path path, String code, String message, @Nullable String hint) {
    diagnostics.add(Diagnostic.error(code, file(), path, position(path), message, hint));
  }

  void warning(Path path, String code, String message, @Nullable String hint) {
    diagnostics.add(Diagnostic.warning(code, file(), path, position(path), message, hint));
  }

  /** No provider offers this operation: reports why. */
  void unresolved(WantedResource wanted, Operation operation, Resolution why, Registry registry) {
    Path type = wanted.path().child("type");
    switch (why) {
      case Resolution.Found _ -> {}
      case Resolution.UnknownType(String name, List<String> nearest) ->
          error(
              type,
              "unknown-resource-type",
              "no provider for '" + name + "'",
              nearest.isEmpty() ? known(registry) : didYouMean(nearest.getFirst(), registry));
      case Resolution.Conflicted(String name, int level, List<String> claimants) ->
          error(
              type,
              "capability-conflict",
              "the type '"
                  + name
                  + "' is claimed by "
                  + String.join(" and ", claimants)
                  + " on precedence level "
                  + level,
              "An operator has to give one of them another precedence: slipway provider conflicts");
      case Resolution.MissingPrograms lacks ->
          error(
              type,
              "missing-program",
              lacks.words(),
              "An operator installs it and reloads: slipway provider reload");
      case Resolution.Barred(String name, String provider, String reason) ->
          error(
              type,
              Breach.CODE,
              "provider '" + provider + "' of '" + name + "' is refused: " + reason,
              "An operator sees all refusals: slipway provider list --problems");
      case Resolution.NotSupported(String name, Operation _, List<String> claimants) ->
          error(
              type,
              "operation-not-supported",
              String.join(", ", claimants)
                  + " offers no "
                  + operation.text()
                  + " workflow for '"
                  + name
                  + "'",
              operation == Operation.UPDATE
                  ? "Confirm that it may be deleted and created anew: --replace " + wanted.name()
                  : null);
    }
  }

  private static String didYouMean(String type, Registry registry) {
    return "Did you mean '"
        + type
        + "'"
        + registry.firstClaimant(type).map(p -> " (" + p + ")").orElse("")
        + "?"
        + (registry.problems().isEmpty() ? "" : " " + BROKEN);
  }

  private static String known(Registry registry) {
    if (!registry.problems().isEmpty()) {
      return BROKEN;
    }
    List<String> types = registry.types();
    if (types.isEmpty()) {
      return "No provider is loaded: slipway provider list";
    }
    return types.size() > 12
        ? "All types that there are: slipway provider list"
        : "Known types: " + String.join(", ", types) + ".";
  }

  private Position position(Path path) {
    return document == null ? Position.START : document.position(path);
  }

  private String file() {
    return document == null ? "score.yaml" : document.file();
  }
}
