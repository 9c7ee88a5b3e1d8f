package dev.slipway.server.api;

import static dev.slipway.web.Route.get;

import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.JsonSchema;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.web.Answer;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Schemas of the files that platform engineers write, for their editors. */
public final class SchemaApi {
  private final Map<String, Map<String, Object>> schemas = new LinkedHashMap<>();

  public SchemaApi(List<Grammar> grammars) {
    grammars.forEach(each -> schemas.put(each.name() + ".json", JsonSchema.of(each)));
  }

  public List<Route> routes() {
    return List.of(
        get("/schemas/{name}")
            .open()
            .named("schema", "A JSON Schema for editors: " + String.join(", ", schemas.keySet()))
            .gives(200, "JSON Schema, draft 2020-12", "Object")
            .by(call -> Answer.ok(schema(call.path("name")))));
  }

  private Map<String, Object> schema(String name) {
    Map<String, Object> schema = schemas.get(name);
    if (schema == null) {
      throw Problem.notFound("schema", name)
          .with("hint", Nearest.hintOrList(name, schemas.keySet()))
          .exception();
    }
    return schema;
  }
}
