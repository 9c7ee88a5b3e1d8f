package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the steps of a workflow. Parses the text again, so it is used for errors only.
 */
final class StepPlaces {
  private static final List<String> UNDO_KEYS = List.of("compensate");
  private static final List<String> ERROR_KEYS = List.of("on_error", "onError");
  private static final List<String> ROLLBACK_KEYS = List.of("rollback_steps", "rollbackSteps");

  private final String file;
  private final String source;
  private Optional<Document> document = Optional.empty();
  private boolean parsed;

  StepPlaces(String file, String source) {
    this.file = file;
    this.source = source;
  }

  /** A step and the path that leads to it. */
  record Place(Step step, Path path) {}

  /** The name under which a provider's workflow file is reported. */
  static String fileOf(Provider provider, Manifest.Entry entry) {
    String manifest = provider.manifestFile();
    String folder = manifest.substring(0, manifest.lastIndexOf('/') + 1);
    return folder + entry.file().replaceFirst("^\\./", "");
  }

  /** Every step, rollback steps included. */
  static List<Place> of(Workflow workflow) {
    List<Place> places = new ArrayList<>();
    add(workflow.steps(), Path.of("steps"), places);
    return places;
  }

  private static void add(List<Step> steps, Path at, List<Place> places) {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Path path = at.child(i);
      places.add(new Place(step, path));
      add(step.compensate(), path.child(UNDO_KEYS.getFirst()), places);
      Path error = path.child(ERROR_KEYS.getFirst());
      add(step.onError().rollbackSteps(), error.child(ROLLBACK_KEYS.getFirst()), places);
    }
  }

  Diagnostic diagnostic(Place place, Breach breach) {
    return diagnostic(place.path().child("type"), breach);
  }

  /** Where a field of the step's executor is written: below {@code config} or beside it. */
  Diagnostic ofField(Place place, List<String> names, Breach breach) {
    Path config = place.path().child("config");
    return names.stream()
        .flatMap(name -> Stream.of(config.child(name), place.path().child(name)))
        .filter(path -> document().flatMap(d -> d.at(written(d, path))).isPresent())
        .findFirst()
        .map(path -> diagnostic(path, breach))
        .orElseGet(() -> diagnostic(place, breach));
  }

  Diagnostic ofSteps(Breach breach) {
    return diagnostic(Path.of("steps"), breach);
  }

  /** Where the text that the breach names is written first. */
  Diagnostic ofText(String before, Breach breach) {
    String name = breach.message().replaceFirst("^[^']*'([^']*)'.*", "$1");
    int at = Math.max(0, source.indexOf(before + name));
    int line = (int) source.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    Position position = new Position(line, at - source.lastIndexOf('\n', at));
    return Diagnostic.error(
        Breach.CODE, file, Path.ROOT, position, breach.message(), breach.hint());
  }

  private Diagnostic diagnostic(Path path, Breach breach) {
    return diagnostic(path, Breach.CODE, breach.message(), breach.hint());
  }

  Diagnostic diagnostic(Path path, String code, String message, @Nullable String hint) {
    Path written = document().map(d -> written(d, path)).orElse(path);
    Position at = document().map(d -> d.position(written)).orElse(Position.START);
    return Diagnostic.error(code, file, written, at, message, hint);
  }

  /** The same path as it is spelled in the file: below spec or not, in either case. */
  private static Path written(Document document, Path path) {
    boolean wrapped = document.at(Path.of("spec", "steps")).isPresent();
    Path here = wrapped ? Path.of("spec") : Path.ROOT;
    for (Object segment : path.segments()) {
      here = child(document, here, segment);
    }
    return here;
  }

  private static Path child(Document document, Path here, Object segment) {
    if (segment instanceof Integer index) {
      return here.child(index);
    }
    for (List<String> spellings : List.of(ERROR_KEYS, ROLLBACK_KEYS)) {
      if (spellings.contains(segment)) {
        return spellings.stream()
            .map(here::child)
            .filter(p -> document.at(p).isPresent())
            .findFirst()
            .orElse(here.child((String) segment));
      }
    }
    return here.child((String) segment);
  }

  private Optional<Document> document() {
    if (!parsed) {
      parsed = true;
      document = Document.parse(file, source, Limits.PROVIDER, new Diagnostics());
    }
    return document;
  }
}
