package dev.slipway.kubernetes.health.assess;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.kubernetes.health.LiveObject;
import java.util.List;
import java.util.Optional;

/**
 * A file of manifests, read.
 *
 * @param objects in the order of the file
 */
public record ManifestFile(String name, List<LiveObject> objects) {
  /** For files of one's own machine. */
  public static final Limits LOCAL = new Limits(32 << 20, 100, 2_000_000);

  /** For what a request carries. */
  public static final Limits REQUEST = new Limits(1 << 20, 100, 100_000);

  /** Reports everything that is no Kubernetes object, with its place. */
  public static ManifestFile read(
      String name, byte[] bytes, Limits limits, Diagnostics diagnostics) {
    Diagnostics own = new Diagnostics();
    List<Document> documents = Document.parseAll(name, bytes, limits, own);
    if (documents.isEmpty() && !own.hasErrors()) {
      own.add(
          Diagnostic.error(
              "empty-document", name, Path.ROOT, Position.START, "the file has no document", null));
    }
    List<LiveObject> objects =
        documents.stream().flatMap(document -> object(document, own).stream()).toList();
    diagnostics.addAll(own.all());
    return new ManifestFile(name, objects);
  }

  private static Optional<LiveObject> object(Document document, Diagnostics diagnostics) {
    if (!(document.root() instanceof Located.Mapping map)) {
      diagnostics.add(
          Diagnostic.error(
              "not-an-object",
              document.file(),
              Path.ROOT,
              document.root().at(),
              "a Kubernetes object is a map, this is " + document.root().kind(),
              null));
      return Optional.empty();
    }
    boolean typed = text(document, map, "apiVersion", diagnostics);
    typed &= text(document, map, "kind", diagnostics);
    return typed ? Optional.of(new LiveObject(map.plain())) : Optional.empty();
  }

  private static boolean text(
      Document document, Located.Mapping map, String field, Diagnostics diagnostics) {
    Optional<Located> value = map.value(field);
    if (value.isPresent()
        && value.get() instanceof Located.Scalar(Object found, _, _, _)
        && found instanceof String text
        && !text.isBlank()) {
      return true;
    }
    String found = value.map(v -> "it is " + v.kind()).orElse("it is missing");
    diagnostics.add(
        Diagnostic.error(
            "not-an-object",
            document.file(),
            Path.ROOT.child(field),
            value.map(Located::at).orElse(map.at()),
            "every Kubernetes object names its " + field + " as text, " + found,
            null));
    return false;
  }
}
