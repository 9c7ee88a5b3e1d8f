package dev.slipway.applications.score;

import dev.slipway.engine.intake.Cycles;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Findings;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Words;
import java.util.Base64;
import java.util.Set;
import java.util.TreeMap;

/** What one part of a workload says about another: names, order, placeholders, identities. */
final class ScoreReferences {
  private final Score score;
  private final Document document;
  private final Findings findings;

  private ScoreReferences(Score score, Diagnostics diagnostics) {
    this.score = score;
    this.document = score.document();
    this.findings = new Findings(document, diagnostics);
  }

  static void check(Score score, Submission submission, Diagnostics diagnostics) {
    var references = new ScoreReferences(score, diagnostics);
    score.containers().values().forEach(references::containerOrder);
    references.containerCycles();
    score.containers().values().forEach(c -> references.files(c, submission.sources()));
    new PlaceholderCheck(score, diagnostics).check();
    new ResourceReferences(score, references.findings).check();
  }

  private void containerOrder(Score.Container container) {
    Set<String> names = score.containers().keySet();
    for (String other : container.before().keySet()) {
      Path path = Path.of("containers", container.name(), "before", other);
      if (other.equals(container.name())) {
        findings.errorAtKey("self-reference", path, "a container cannot start before itself", null);
      } else if (!names.contains(other)) {
        String message = "no container '" + Words.shortened(other) + "'";
        findings.errorAtKey("unknown-container", path, message, Nearest.hintOrList(other, names));
      }
    }
  }

  private void containerCycles() {
    var edges = new TreeMap<String, Set<String>>();
    score.containers().forEach((name, c) -> edges.put(name, c.before().keySet()));
    for (var cycle : Cycles.in(edges)) {
      if (cycle.size() > 1) {
        Path path = Path.of("containers", cycle.getFirst(), "before", cycle.get(1));
        findings.errorAtKey(
            "cycle", path, "containers wait for each other: " + Cycles.print(cycle), null);
      }
    }
  }

  private void files(Score.Container container, Submission.Sources sources) {
    Path files = Path.of("containers", container.name(), "files");
    container
        .files()
        .forEach(
            (target, file) -> {
              switch (file.content()) {
                case Score.Content.Source _ -> source(files.child(target), sources);
                case Score.Content.Binary binary -> base64(files.child(target), binary);
                case Score.Content.Expanded _, Score.Content.Verbatim _ -> {}
              }
            });
  }

  private void source(Path file, Submission.Sources sources) {
    if (sources == Submission.Sources.EMBEDDED) {
      findings.errorAtKey(
          "source-not-embedded",
          file.child("source"),
          "the server cannot read files of your machine",
          "Deploy with the slipway command, which embeds them, or write 'content'.");
    }
  }

  private void base64(Path file, Score.Content.Binary binary) {
    if (!isBase64(binary.base64())) {
      findings.errorAtValue(
          "invalid-value", file.child("binaryContent"), "this is not base64", null);
    }
  }

  private static boolean isBase64(String text) {
    try {
      // The lenient decoder takes line breaks, but would take anything else for one too.
      Base64.getMimeDecoder().decode(text);
      return text.matches("[A-Za-z0-9+/=\\s]*");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
