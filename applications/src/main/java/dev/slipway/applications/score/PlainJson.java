package dev.slipway.applications.score;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.slipway.engine.intake.Located;
import java.math.BigInteger;

/** Turns located values into the JSON tree that a schema validator reads. */
final class PlainJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private PlainJson() {}

  static JsonNode node(Located value) {
    return switch (value) {
      case Located.Scalar scalar -> scalar(scalar);
      case Located.Sequence list -> {
        var array = JSON.arrayNode(list.items().size());
        list.items().forEach(item -> array.add(node(item)));
        yield array;
      }
      case Located.Mapping map -> {
        var object = JSON.objectNode();
        map.entries().forEach((key, entry) -> object.set(key, node(entry.value())));
        yield object;
      }
    };
  }

  private static JsonNode scalar(Located.Scalar scalar) {
    return switch (scalar.value()) {
      case null -> JSON.nullNode();
      case String text -> JSON.textNode(text);
      case Boolean truth -> JSON.booleanNode(truth);
      case Long number -> JSON.numberNode(number);
      case BigInteger number -> JSON.numberNode(number);
      case Double number -> JSON.numberNode(number);
      default -> throw new IllegalStateException("not a plain value: " + scalar.value());
    };
  }
}
