package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Section;
import org.jspecify.annotations.Nullable;

/** A condition where it stands in a file. */
record ConditionText(Section section, String key) {

  /** Parses it; reports what is wrong at the very character. */
  @Nullable Expression check() {
    Located.Scalar scalar = (Located.Scalar) section.located(key).orElseThrow();
    try {
      return Expression.parse(scalar.text());
    } catch (ExpressionException e) {
      Position at = scalar.place().at(scalar.text(), e.offset());
      section
          .diagnostics()
          .add(
              Diagnostic.error(
                  "invalid-condition",
                  section.document().file(),
                  section.path().child(key),
                  at,
                  String.valueOf(e.getMessage()),
                  e.hint()));
      return null;
    }
  }
}
