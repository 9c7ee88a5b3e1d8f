package dev.slipway.applications.score;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Holds a document against {@code score-v1b1.schema.json} and says in words what does not fit. */
final class ScoreSchema {
  /** The schema as JSON; a tool may serve it to editors. */
  static final JsonNode JSON = load("score-v1b1.schema.json");

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(JSON);

  static {
    // Otherwise the first documents would build the validators side by side.
    SCHEMA.initializeValidators();
  }

  private ScoreSchema() {}

  static void check(Document document, Diagnostics diagnostics) {
    var words = new ViolationWords(document, JSON);
    for (var violation : SCHEMA.validate(PlainJson.node(document.root()))) {
      words.explain(violation).ifPresent(diagnostics::add);
    }
  }

  private static JsonNode load(String name) {
    try (var stream = ScoreSchema.class.getResourceAsStream(name)) {
      return new ObjectMapper().readTree(stream);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
