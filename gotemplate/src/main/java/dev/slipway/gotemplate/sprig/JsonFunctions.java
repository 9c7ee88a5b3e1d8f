package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON, written and read as Go's encoding/json does. */
final class JsonFunctions {
  private JsonFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("JSON and YAML")
        .add(
            "toJson",
            "(v any) string",
            "as JSON; empty when it cannot be",
            c -> lenient(c, JsonWriter.Html.ESCAPED, JsonWriter.Layout.COMPACT))
        .add(
            "mustToJson",
            "(v any) string",
            "as JSON",
            c -> json(c, JsonWriter.Html.ESCAPED, JsonWriter.Layout.COMPACT))
        .add(
            "toPrettyJson",
            "(v any) string",
            "as indented JSON; empty when it cannot be",
            c -> lenient(c, JsonWriter.Html.ESCAPED, JsonWriter.Layout.INDENTED))
        .add(
            "mustToPrettyJson",
            "(v any) string",
            "as indented JSON",
            c -> json(c, JsonWriter.Html.ESCAPED, JsonWriter.Layout.INDENTED))
        .add(
            "toRawJson",
            "(v any) string",
            "as JSON with <, > and & as they are",
            c -> json(c, JsonWriter.Html.RAW, JsonWriter.Layout.COMPACT))
        .also("mustToRawJson")
        .add(
            "fromJson",
            "(s string) any",
            "the value of JSON; nil when it is none",
            c -> parsed(c, null))
        .add("mustFromJson", "(s string) any", "the value of JSON", JsonFunctions::mustParse)
        .all();
  }

  private static String json(Call call, JsonWriter.Html html, JsonWriter.Layout layout) {
    try {
      return new JsonWriter(call, html, layout).write(call.any(0));
    } catch (JsonWriter.Unsupported e) {
      throw call.fail(String.valueOf(e.getMessage()));
    }
  }

  private static String lenient(Call call, JsonWriter.Html html, JsonWriter.Layout layout) {
    try {
      return new JsonWriter(call, html, layout).write(call.any(0));
    } catch (JsonWriter.Unsupported e) {
      return "";
    }
  }

  /** The value of the first argument, or another one when it is not JSON. */
  static @Nullable Object parsed(Call call, @Nullable Object otherwise) {
    try {
      return new JsonReader(call, call.string(0)).read();
    } catch (JsonReader.Malformed e) {
      return otherwise;
    }
  }

  private static @Nullable Object mustParse(Call call) {
    try {
      return new JsonReader(call, call.string(0)).read();
    } catch (JsonReader.Malformed e) {
      throw call.fail(String.valueOf(e.getMessage()));
    }
  }
}
