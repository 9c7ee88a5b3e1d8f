package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Section;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place of a workflow that refers to something: {@code parameters.size}, {@code
 * steps.make-db.output.host}.
 *
 * @param names the chain from its root; a step's short form is written out
 */
record Mention(List<String> names, Path path, Position at) {

  void error(Section section, String code, String message, @Nullable String hint) {
    section
        .diagnostics()
        .add(Diagnostic.error(code, section.document().file(), path, at, message, hint));
  }

  void warning(Section section, String code, String message, @Nullable String hint) {
    section
        .diagnostics()
        .add(Diagnostic.warning(code, section.document().file(), path, at, message, hint));
  }
}
