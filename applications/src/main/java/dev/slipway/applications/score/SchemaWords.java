package dev.slipway.applications.score;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a JSON schema says, in words. */
final class SchemaWords {
  private SchemaWords() {}

  static @Nullable String description(JsonNode node) {
    // The root's description is about the schema, not about a value.
    return node.has("description") && !node.has("$schema")
        ? node.get("description").asText()
        : null;
  }

  static List<String> keys(JsonNode properties) {
    var keys = new ArrayList<String>();
    properties.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  static String typeWords(JsonNode type) {
    return switch (type.isArray() ? type.get(0).asText() : type.asText()) {
      case "object" -> "a map";
      case "array" -> "a list";
      case "boolean" -> "true or false";
      case "integer" -> "a whole number";
      default -> "a string";
    };
  }
}
