package dev.slipway.applications.score;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Words;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what a schema violation means, where it was written, and what to do about it. The schema
 * itself carries the words: a {@code description} beside a pattern says what the pattern means.
 */
record ViolationWords(Document document, JsonNode schema) {
  private static final String STEPS =
      "A spec never carries steps; they come from the provider of a resource type.";
  private static final String TARGET =
      "The path is the key of the map, so it is not repeated inside.";

  /** Empty for a violation that only repeats another one. */
  Optional<Diagnostic> explain(Error violation) {
    Path path = path(violation.getInstanceLocation());
    if (violation.getEvaluationPath().toString().contains("Of/")) {
      return insideChoice(violation, path);
    }
    return switch (violation.getKeyword()) {
      case "additionalProperties" -> Optional.of(unknownField(violation, path));
      case "required" -> Optional.of(missing(path, violation.getProperty()));
      case "propertyNames" -> Optional.of(badKey(violation, path));
      case "type" -> Optional.of(wrongType(violation, path));
      case "oneOf" -> exactlyOne(violation, path);
      case "minProperties" -> Optional.of(tooFew(violation, path));
      default -> Optional.of(badValue(violation, path));
    };
  }

  /**
   * Branches of a choice repeat what the choice as a whole says. Only the root's choice between
   * containers and resources has no message of its own.
   */
  private Optional<Diagnostic> insideChoice(Error violation, Path path) {
    boolean root = violation.getEvaluationPath().toString().equals("/anyOf/0/required");
    return root ? Optional.of(missing(path, "containers")) : Optional.empty();
  }

  private Diagnostic unknownField(Error violation, Path path) {
    String key = violation.getProperty();
    var known = SchemaWords.keys(parent(violation).path("properties"));
    String hint =
        switch (key) {
          case "workflows" -> path.isRoot() ? STEPS : Nearest.hintOrList(key, known);
          case "target" -> known.contains("source") ? TARGET : Nearest.hintOrList(key, known);
          default -> Nearest.hintOrList(key, known);
        };
    String message = "unknown field '" + Words.shortened(key) + "'";
    Path child = path.child(key);
    return error("unknown-field", child, document.keyPosition(child), message, hint);
  }

  private Diagnostic missing(Path path, String key) {
    String message = "'" + key + "' is required";
    String hint = key.equals("apiVersion") ? "Start with 'apiVersion: score.dev/v1b1'." : null;
    return error("missing-field", path, document.keyPosition(path), message, hint);
  }

  private Diagnostic badKey(Error violation, Path path) {
    String key = violation.getProperty();
    Path child = path.child(key);
    String words =
        SchemaWords.description(schemaAt(violation.getSchemaLocation().getFragment().toString()));
    String message =
        words == null
            ? "the key must not be empty"
            : "'" + Words.shortened(key) + "' is not " + words;
    return error("invalid-key", child, document.keyPosition(child), message, null);
  }

  private Diagnostic wrongType(Error violation, Path path) {
    Located found = found(path);
    String words = SchemaWords.description(parent(violation));
    String expected = words == null ? SchemaWords.typeWords(violation.getSchemaNode()) : words;
    String hint = quoting(violation.getSchemaNode().asText(), found);
    return error("wrong-type", path, found.at(), Words.expected(expected, found), hint);
  }

  /** YAML guesses types from quotes, and so the usual slip is one too many or too few of them. */
  private static @Nullable String quoting(String type, Located found) {
    if (!(found instanceof Located.Scalar scalar) || scalar.value() == null) {
      return null;
    }
    return switch (type) {
      case "string" -> "Put it in quotes: \"" + Words.shortened(scalar.text()) + "\".";
      case "integer" -> scalar.text().matches("[0-9]{1,9}") ? "Remove the quotes." : null;
      case "boolean" -> scalar.text().matches("true|false") ? "Remove the quotes." : null;
      default -> null;
    };
  }

  private Optional<Diagnostic> exactlyOne(Error violation, Path path) {
    if (!(found(path) instanceof Located.Mapping map)) {
      return Optional.empty();
    }
    var choices = new ArrayList<String>();
    violation
        .getSchemaNode()
        .forEach(branch -> choices.add(branch.path("required").path(0).asText()));
    var present = choices.stream().filter(map.entries()::containsKey).toList();
    String need = "exactly one of " + Words.list(choices) + " is required";
    if (present.isEmpty()) {
      return Optional.of(
          error("missing-field", path, document.keyPosition(path), need + ", found none", null));
    }
    String message = need + ", found " + String.join(" and ", present);
    Path extra = path.child(present.getLast());
    return Optional.of(error("exclusive-fields", path, document.keyPosition(extra), message, null));
  }

  private Diagnostic tooFew(Error violation, Path path) {
    var known = SchemaWords.keys(parent(violation).path("properties"));
    String what = known.isEmpty() ? "at least one entry" : "at least one of " + Words.list(known);
    return error("missing-field", path, document.keyPosition(path), what + " is required", null);
  }

  private Diagnostic badValue(Error violation, Path path) {
    Located found = found(path);
    String shown = found instanceof Located.Scalar scalar ? Words.shortened(scalar.text()) : "";
    String hint = null;
    String message;
    switch (violation.getKeyword()) {
      case "enum" -> {
        var words = new ArrayList<String>();
        violation.getSchemaNode().forEach(word -> words.add(word.asText()));
        message = "'" + shown + "' is not one of " + Words.list(words);
        hint = Nearest.hint(shown, words);
      }
      case "const" ->
          message = "'" + shown + "' is not '" + violation.getSchemaNode().asText() + "'";
      case "minLength" -> message = "must not be empty";
      default -> message = "'" + shown + "' is not " + SchemaWords.description(parent(violation));
    }
    return error("invalid-value", path, found.at(), message, hint);
  }

  // ---- finding one's way in schema and document

  private JsonNode parent(Error violation) {
    String pointer = violation.getSchemaLocation().getFragment().toString();
    return schemaAt(pointer.substring(0, pointer.lastIndexOf('/')));
  }

  private JsonNode schemaAt(String pointer) {
    JsonNode node = schema.at(pointer);
    String ref = node.path("$ref").asText();
    return ref.isEmpty() ? node : schema.at(ref.substring(1));
  }

  private Located found(Path path) {
    return document.at(path).orElse(document.root());
  }

  /** A validator's location does not distinguish list items from map keys; the document does. */
  private Path path(NodePath location) {
    Path path = Path.ROOT;
    for (int i = 0; i < location.getNameCount(); i++) {
      Object name = location.getElement(i);
      boolean item = found(path) instanceof Located.Sequence;
      path = item ? path.child(Integer.parseInt(name.toString())) : path.child(name.toString());
    }
    return path;
  }

  private Diagnostic error(
      String code, Path path, Position at, String message, @Nullable String hint) {
    return Diagnostic.error(code, document.file(), path, at, message, hint);
  }
}
