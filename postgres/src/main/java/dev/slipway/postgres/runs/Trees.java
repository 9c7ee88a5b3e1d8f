package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How records are written as JSON trees and read back. */
final class Trees {
  private Trees() {}

  static Map<String, Object> of(NewRun.Inputs inputs) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("parameters", inputs.parameters());
    tree.put("context", inputs.context());
    tree.put("outputs", inputs.outputs());
    return tree;
  }

  static NewRun.Inputs inputs(String json) {
    Map<String, Object> tree = Json.readMap(json);
    return new NewRun.Inputs(
        Values.map(tree.get("parameters")),
        Values.map(tree.get("context")),
        Values.map(tree.get("outputs")));
  }

  static @Nullable Map<String, Object> of(@Nullable StepError error) {
    if (error == null) {
      return null;
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("code", error.code());
    tree.put("message", error.message());
    tree.put("transient", error.kind() == StepError.Kind.TRANSIENT);
    if (error.hint() != null) {
      tree.put("hint", error.hint());
    }
    return tree;
  }

  static @Nullable StepError error(@Nullable String json) {
    if (json == null) {
      return null;
    }
    Map<String, Object> tree = Json.readMap(json);
    return new StepError(
        (String) tree.get("code"),
        (String) tree.get("message"),
        Boolean.TRUE.equals(tree.get("transient"))
            ? StepError.Kind.TRANSIENT
            : StepError.Kind.PERMANENT,
        (String) tree.get("hint"));
  }

  static Map<String, Object> map(@Nullable String json) {
    return json == null ? Map.of() : Json.readMap(json);
  }

  static Map<String, Object> of(DefinitionSnapshot definition) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("provider", definition.provider());
    tree.put("providerVersion", definition.providerVersion());
    tree.put("commit", definition.commit());
    tree.put("contentHash", definition.contentHash());
    tree.put("directory", definition.directory());
    tree.put("configuration", definition.configuration());
    tree.put("workflow", definition.workflow());
    tree.put("source", definition.source());
    return tree;
  }

  static DefinitionSnapshot definition(String json) {
    Map<String, Object> tree = Json.readMap(json);
    return new DefinitionSnapshot(
        (String) tree.get("provider"),
        (String) tree.get("providerVersion"),
        (String) tree.get("commit"),
        (String) tree.get("contentHash"),
        (String) tree.get("directory"),
        Values.map(tree.get("configuration")),
        (String) tree.get("workflow"),
        (String) tree.get("source"));
  }
}
