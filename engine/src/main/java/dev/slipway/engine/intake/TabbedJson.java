package dev.slipway.engine.intake;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;

/**
 * JSON indented with tabs is JSON, but not to a YAML parser. In JSON a tab never stands inside a
 * string, so that each one can become a space without changing a value or a column.
 */
final class TabbedJson {
  private static final JsonFactory JSON = new JsonFactory();

  private TabbedJson() {}

  static boolean isJson(String text) {
    String start = text.stripLeading();
    if (!start.startsWith("{") && !start.startsWith("[")) {
      return false;
    }
    try (var parser = JSON.createParser(text)) {
      while (parser.nextToken() != null) {
        parser.skipChildren();
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static String withSpaces(String json) {
    return json.replace('\t', ' ');
  }
}
