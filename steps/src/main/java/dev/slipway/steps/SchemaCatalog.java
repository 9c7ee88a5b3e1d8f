package dev.slipway.steps;

import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.resolve.AdminForms;
import dev.slipway.engine.resolve.GoldenPathForms;
import dev.slipway.engine.resolve.ManifestForms;
import dev.slipway.engine.resolve.ProviderTestForms;
import dev.slipway.engine.workflow.StepForms;
import java.util.List;

/** The grammars of all files that platform engineers write, including all step types. */
public final class SchemaCatalog {
  private SchemaCatalog() {}

  /** All grammars; each is published as a schema of its name. */
  public static List<Grammar> all() {
    return List.of(
        ManifestForms.GRAMMAR,
        StepForms.grammar(StepCatalog.types()),
        GoldenPathForms.GRAMMAR,
        AdminForms.GRAMMAR,
        ProviderTestForms.GRAMMAR);
  }
}
