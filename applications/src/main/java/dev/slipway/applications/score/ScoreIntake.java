package dev.slipway.applications.score;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import java.util.List;

/**
 * From Score text to {@link Score}, in stages: parse, upgrade, schema, references. A stage reports
 * all it finds; the next one starts only when there was no error.
 */
public final class ScoreIntake {
  /** Where a document was refused; an unparsable one is answered differently over HTTP. */
  public enum Stage {
    PARSE,
    UPGRADE,
    SCHEMA,
    REFERENCES
  }

  /** How a reading ended. */
  public sealed interface Outcome {
    /** Everything found, errors first to be shown, in the order of the text. */
    List<Diagnostic> diagnostics();

    /** The diagnostics are warnings only. */
    record Accepted(Score score, List<Diagnostic> diagnostics) implements Outcome {}

    record Refused(Stage stage, List<Diagnostic> diagnostics) implements Outcome {}
  }

  /** For documents that may name some ten thousand objects. */
  private static final Limits LIMITS = new Limits(1 << 20, 64, 100_000);

  private ScoreIntake() {}

  /** Reads a document of at most 1 MiB; never throws because of what it contains. */
  public static Outcome read(String file, byte[] bytes, Submission submission) {
    var diagnostics = new Diagnostics();
    var parsed = Document.parse(file, bytes, LIMITS, diagnostics);
    if (parsed.isEmpty()) {
      return new Outcome.Refused(Stage.PARSE, diagnostics.all());
    }
    var upgraded = ScoreUpgrade.apply(parsed.get(), diagnostics);
    if (diagnostics.hasErrors()) {
      return new Outcome.Refused(Stage.UPGRADE, diagnostics.all());
    }
    ScoreSchema.check(upgraded.document(), diagnostics);
    if (diagnostics.hasErrors()) {
      return new Outcome.Refused(Stage.SCHEMA, diagnostics.all());
    }
    var complete = ScoreImages.fill(upgraded.document(), submission, diagnostics);
    var score = ScoreModel.read(complete, upgraded.environment());
    ScoreReferences.check(score, submission, diagnostics);
    return diagnostics.hasErrors()
        ? new Outcome.Refused(Stage.REFERENCES, diagnostics.all())
        : new Outcome.Accepted(score, diagnostics.all());
  }
}
