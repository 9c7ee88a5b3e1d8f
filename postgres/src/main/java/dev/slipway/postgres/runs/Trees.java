package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.StepOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How records are written as JSON trees and read back. */
final class Trees {
  private Trees() {}

  static Map<String, Object> of(NewRun.Inputs inputs) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("parameters", inputs.parameters());
    tree.put("context", inputs.context());
    tree.put("outputs", inputs.outputs());
    if (inputs.undoing() != null) {
      tree.put("undoing", of(inputs.undoing()));
    }
    return tree;
  }

  private static Map<String, Object> of(NewRun.Undoing undoing) {
    Map<String, Object> steps = new LinkedHashMap<>();
    undoing
        .steps()
        .forEach(
            (name, outcome) -> {
              Map<String, Object> step = new LinkedHashMap<>();
              step.put("state", outcome.state().text());
              step.put("outputs", outcome.outputs());
              steps.put(name, step);
            });
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("order", undoing.order());
    tree.put("variables", undoing.variables());
    tree.put("steps", steps);
    return tree;
  }

  private static NewRun.@Nullable Undoing undoing(Map<String, Object> tree) {
    if (tree.isEmpty()) {
      return null;
    }
    Map<String, StepOutcome> steps = new LinkedHashMap<>();
    Values.map(tree.get("steps"))
        .forEach(
            (name, value) -> {
              Map<String, Object> step = Values.map(value);
              steps.put(
                  name,
                  new StepOutcome(
                      State.parse(StepState.class, text(step, "state")),
                      Values.map(step.get("outputs"))));
            });
    List<?> order = (List<?>) present(tree, "order");
    return new NewRun.Undoing(
        order.stream().map(String::valueOf).toList(), Values.map(tree.get("variables")), steps);
  }

  static NewRun.Inputs inputs(String json, EncryptionContext row) {
    Map<String, Object> tree = Json.readMap(json, row);
    return new NewRun.Inputs(
        Values.map(tree.get("parameters")),
        Values.map(tree.get("context")),
        Values.map(tree.get("outputs")),
        undoing(Values.map(tree.get("undoing"))));
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

  /** What a run reports of its end; its first step needs no words. */
  static @Nullable Map<String, Object> of(RunWrite.Report report) {
    if (report.effect() == RunWrite.Report.Effect.STARTED) {
      return null;
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("effect", report.effect().text());
    tree.put("reason", report.reason());
    if (report.error() != null) {
      tree.put("error", of(report.error()));
    }
    return tree;
  }

  static @Nullable StepError error(@Nullable String json) {
    if (json == null) {
      return null;
    }
    Map<String, Object> tree = Json.readMap(json);
    return new StepError(
        text(tree, "code"),
        text(tree, "message"),
        Boolean.TRUE.equals(tree.get("transient"))
            ? StepError.Kind.TRANSIENT
            : StepError.Kind.PERMANENT,
        (String) tree.get("hint"));
  }

  static Map<String, Object> map(@Nullable String json, EncryptionContext row) {
    return json == null ? Map.of() : Json.readMap(json, row);
  }

  static Map<String, Object> of(DefinitionSnapshot definition) {
    Map<String, Object> tree = of(definition.component());
    if (!definition.library().isEmpty()) {
      Map<String, Object> library = new TreeMap<>();
      definition.library().forEach((key, component) -> library.put(key, of(component)));
      tree.put("library", library);
    }
    return tree;
  }

  private static Map<String, Object> of(Resolution.Component component) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("provider", component.provider());
    tree.put("providerVersion", component.providerVersion());
    tree.put("commit", component.commit());
    tree.put("contentHash", component.hash());
    tree.put("directory", component.directory());
    tree.put("configuration", component.configuration());
    tree.put("workflow", component.workflow());
    tree.put("source", component.source());
    return tree;
  }

  private static Map<String, Resolution.Component> library(Map<String, Object> tree) {
    Map<String, Resolution.Component> library = new LinkedHashMap<>();
    tree.forEach((key, value) -> library.put(key, component(Values.map(value))));
    return library;
  }

  private static Resolution.Component component(Map<String, Object> tree) {
    return new Resolution.Component(
        text(tree, "provider"),
        text(tree, "providerVersion"),
        (String) tree.get("commit"),
        text(tree, "contentHash"),
        (String) tree.get("directory"),
        Values.map(tree.get("configuration")),
        text(tree, "workflow"),
        text(tree, "source"));
  }

  private static String text(Map<String, Object> tree, String key) {
    return (String) present(tree, key);
  }

  /** What is written into each such tree. */
  private static Object present(Map<String, Object> tree, String key) {
    return Objects.requireNonNull(tree.get(key), () -> "a stored tree lacks '" + key + "'");
  }

  static DefinitionSnapshot definition(String json) {
    Map<String, Object> tree = Json.readMap(json);
    return DefinitionSnapshot.of(component(tree), library(Values.map(tree.get("library"))));
  }
}
