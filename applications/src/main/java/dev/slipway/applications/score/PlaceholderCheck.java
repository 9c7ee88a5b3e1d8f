package dev.slipway.applications.score;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Findings;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Words;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks every placeholder of a workload against the names in its document. */
final class PlaceholderCheck {
  /** Where a text stands decides which placeholders make sense in it. */
  private enum Place {
    CONTAINER,
    PARAMS
  }

  private final Score score;
  private final Document document;
  private final Findings findings;

  PlaceholderCheck(Score score, Diagnostics diagnostics) {
    this.score = score;
    this.document = score.document();
    this.findings = new Findings(document, diagnostics);
  }

  void check() {
    score.containers().values().forEach(this::container);
    for (Score.Resource resource : score.resources().values()) {
      Path params = resource.path().child("params");
      document.at(params).ifPresent(value -> deep(value, params));
    }
  }

  private void container(Score.Container container) {
    Path path = Path.of("containers", container.name());
    container.variables().keySet().forEach(key -> text(path.child("variables").child(key)));
    container
        .files()
        .forEach(
            (target, file) -> {
              if (file.content() instanceof Score.Content.Expanded) {
                text(path.child("files").child(target).child("content"));
              }
            });
    container
        .volumes()
        .keySet()
        .forEach(target -> text(path.child("volumes").child(target).child("source")));
    for (String never : List.of("command", "args")) {
      document.at(path.child(never)).ifPresent(list -> notSubstituted(list, path.child(never)));
    }
    document.at(path.child("image")).ifPresent(v -> notSubstituted(v, path.child("image")));
  }

  private void text(Path path) {
    document.at(path).ifPresent(value -> scalar(value, path, Place.CONTAINER));
  }

  private void deep(Located value, Path path) {
    switch (value) {
      case Located.Scalar scalar -> scalar(scalar, path, Place.PARAMS);
      case Located.Sequence list -> {
        for (int i = 0; i < list.items().size(); i++) {
          deep(list.items().get(i), path.child(i));
        }
      }
      case Located.Mapping map ->
          map.entries().forEach((key, entry) -> deep(entry.value(), path.child(key)));
    }
  }

  private void scalar(Located value, Path path, Place place) {
    if (value instanceof Located.Scalar scalar
        && scalar.value() instanceof String text
        && !findings.diagnostics().isFull()) {
      text(scalar, text, path, place);
    }
  }

  private void text(Located.Scalar scalar, String text, Path path, Place place) {
    Substitution substitution = Substitution.parse(text);
    for (var problem : substitution.problems()) {
      Position at = scalar.place().at(text, problem.offset());
      findings.report(
          problem.severity(), problem.code(), path, at, problem.message(), problem.hint());
    }
    for (var reference : substitution.references()) {
      if (findings.diagnostics().isFull()) {
        break;
      }
      Position at = scalar.place().at(text, reference.offset());
      placeholder(reference.placeholder(), path, at, place);
    }
  }

  private void placeholder(ScorePlaceholder placeholder, Path path, Position at, Place place) {
    switch (placeholder) {
      case ScorePlaceholder.Output output -> resource(output.resource(), placeholder, path, at);
      case ScorePlaceholder.Id id -> resource(id.resource(), placeholder, path, at);
      case ScorePlaceholder.Metadata metadata -> metadata(metadata, path, at);
      case ScorePlaceholder.Image image -> image(image, path, at, place);
      case ScorePlaceholder.Environment _ -> {}
    }
  }

  private void resource(String name, ScorePlaceholder placeholder, Path path, Position at) {
    Set<String> names = score.resources().keySet();
    if (!names.contains(name)) {
      String message = "no resource '" + Words.shortened(name) + "' for " + shown(placeholder);
      findings.error("unknown-resource", path, at, message, Nearest.hintOrList(name, names));
    }
  }

  private void metadata(ScorePlaceholder.Metadata metadata, Path path, Position at) {
    Optional<Missing> missing = missing(score.metadata().values(), metadata.keys());
    missing.ifPresent(
        found -> {
          String message =
              "no key '" + Words.shortened(found.key()) + "' in metadata for " + shown(metadata);
          findings.error(
              "unknown-key", path, at, message, Nearest.hintOrList(found.key(), found.known()));
        });
  }

  private void image(ScorePlaceholder.Image image, Path path, Position at, Place place) {
    Set<String> names = score.containers().keySet();
    if (place == Place.CONTAINER) {
      String message = shown(image) + " works in params only";
      findings.error("invalid-placeholder", path, at, message, null);
    } else if (!names.contains(image.container())) {
      String message = "no container '" + Words.shortened(image.container()) + "'";
      findings.error(
          "unknown-container", path, at, message, Nearest.hintOrList(image.container(), names));
    }
  }

  /** A placeholder that looks meant, in a field where none is ever replaced. */
  private void notSubstituted(Located value, Path path) {
    switch (value) {
      case Located.Sequence list -> {
        for (int i = 0; i < list.items().size(); i++) {
          notSubstituted(list.items().get(i), path.child(i));
        }
      }
      case Located.Scalar scalar when scalar.value() instanceof String text ->
          Substitution.parse(text).references().stream()
              .findFirst()
              .ifPresent(r -> warnNotSubstituted(r, scalar.place().at(text, r.offset()), path));
      case Located.Scalar _, Located.Mapping _ -> {}
    }
  }

  private void warnNotSubstituted(Substitution.Reference reference, Position at, Path path) {
    String message = shown(reference.placeholder()) + " stays as it is: nothing is replaced here";
    String hint = "Put it into a variable and use that.";
    findings.warning("not-substituted", path, at, message, hint);
  }

  private record Missing(String key, Set<String> known) {}

  private static Optional<Missing> missing(@Nullable Object value, List<String> keys) {
    Object here = value;
    for (String key : keys) {
      if (!(here instanceof Map<?, ?> map)) {
        return Optional.of(new Missing(key, Set.of()));
      }
      if (!map.containsKey(key)) {
        @SuppressWarnings("unchecked")
        var known = (Set<String>) map.keySet();
        return Optional.of(new Missing(key, known));
      }
      here = map.get(key);
    }
    return Optional.empty();
  }

  private static String shown(ScorePlaceholder placeholder) {
    return "'" + Words.shortened(placeholder.toString()) + "'";
  }
}
