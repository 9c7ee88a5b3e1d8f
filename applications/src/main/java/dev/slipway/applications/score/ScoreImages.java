package dev.slipway.applications.score;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Findings;
import dev.slipway.engine.intake.Located.Entry;
import dev.slipway.engine.intake.Located.Mapping;
import dev.slipway.engine.intake.Located.Scalar;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Words;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Puts images that came with the request into the document. */
final class ScoreImages {
  private final Document document;
  private final Findings findings;

  private ScoreImages(Document document, Diagnostics diagnostics) {
    this.document = document;
    this.findings = new Findings(document, diagnostics);
  }

  /** Expects a document that fits the schema. */
  static Document fill(Document document, Submission submission, Diagnostics diagnostics) {
    return new ScoreImages(document, diagnostics).fill(submission);
  }

  private Document fill(Submission submission) {
    Mapping root = (Mapping) document.root();
    Entry found = root.entries().get("containers");
    if (found == null) {
      unknown(submission.images(), Set.of(), Path.ROOT);
      return document;
    }
    Mapping containers = (Mapping) found.value();
    unknown(submission.images(), containers.entries().keySet(), Path.of("containers"));
    var filled = new LinkedHashMap<String, Entry>();
    containers
        .entries()
        .forEach(
            (name, entry) -> {
              Mapping changed = image((Mapping) entry.value(), name, submission);
              filled.put(name, new Entry(entry.keyAt(), changed));
            });
    var changed = new Entry(found.keyAt(), new Mapping(filled, containers.at()));
    return document.with(root.with("containers", changed));
  }

  private Mapping image(Mapping container, String name, Submission submission) {
    Entry image = container.entry("image");
    String supplied = submission.images().get(name);
    Path path = Path.of("containers", name, "image");
    Position at = image.value().at();
    boolean open = ".".equals(image.value().plain());
    if (supplied == null) {
      if (open && submission.sources() == Submission.Sources.EMBEDDED) {
        String hint = "Give it when you deploy: --image " + name + "=REGISTRY/NAME:TAG";
        findings.error("image-required", path, at, "the image '.' was not supplied", hint);
      }
      return container;
    }
    if (supplied.isBlank() || supplied.equals(".")) {
      findings.error("image-required", path, at, "the request supplies no usable image", null);
    } else if (!open && !supplied.equals(image.value().plain())) {
      String message = "the request replaces this image by '" + Words.shortened(supplied) + "'";
      findings.warning("image-replaced", path, at, message, null);
    }
    return container.with("image", new Entry(image.keyAt(), new Scalar(supplied, supplied, at)));
  }

  private void unknown(Map<String, String> images, Set<String> containers, Path path) {
    for (String name : new TreeSet<>(images.keySet())) {
      if (!containers.contains(name)) {
        String message =
            "the request supplies an image for '" + Words.shortened(name) + "', no such container";
        String hint = Nearest.hintOrList(name, containers);
        findings.error("unknown-container", path, document.keyPosition(path), message, hint);
      }
    }
  }
}
