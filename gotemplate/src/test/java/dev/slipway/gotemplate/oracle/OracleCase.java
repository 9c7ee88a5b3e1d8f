package dev.slipway.gotemplate.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.gotemplate.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A template with its data and settings, and the result of real Go; one line of JSON. */
record OracleCase(String id, String template, JsonNode json, Outcome go) {
  static final ObjectMapper JSON = new ObjectMapper();

  /** The moment at which the oracle runs every case. */
  static final Clock CLOCK =
      Clock.fixed(Instant.parse("2024-05-17T13:14:15.678901234Z"), ZoneOffset.UTC);

  static OracleCase of(String line) {
    try {
      JsonNode json = JSON.readTree(line);
      return new OracleCase(
          json.get("id").asText(),
          json.get("template").asText(),
          json,
          outcome(json.get("result")));
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  private static Outcome outcome(JsonNode result) throws IOException {
    if (result.has("failure")) {
      JsonNode failure = result.get("failure");
      return new Outcome.Failed(
          Outcome.Phase.valueOf(failure.get("phase").asText().toUpperCase(Locale.ROOT)),
          failure.get("line").asInt(),
          failure.get("meaning").asText(),
          failure.get("message").asText());
    }
    return new Outcome.Written(
        result.has("bytes")
            ? result.get("bytes").binaryValue()
            : result.get("output").asText().getBytes(StandardCharsets.UTF_8));
  }

  /** The question to the oracle for another text with the same data and settings. */
  String ask(String otherTemplate) {
    ObjectNode question = json.deepCopy();
    question.remove("result");
    return question.put("template", otherTemplate).toString();
  }

  /** A fresh copy: templates may change their data. */
  Object data() {
    return value(json.get("data"));
  }

  Settings settings() {
    JsonNode options = json.path("options");
    Settings settings =
        Settings.DEFAULT
            .withClock(CLOCK)
            .withFunctions(FunctionSets.named(options.path("functions").asText("none")));
    if (options.has("left")) {
      settings =
          settings.withDelimiters(options.get("left").asText(), options.get("right").asText());
    }
    String missing = options.path("missingkey").asText("default").toUpperCase(Locale.ROOT);
    return settings.withMissingKey(Settings.MissingKey.valueOf(missing));
  }

  /** Integers stay exact, as the oracle reads them. */
  static Object value(JsonNode node) {
    if (node == null || node.isNull()) {
      return null;
    }
    if (node.isObject()) {
      Map<String, Object> map = new LinkedHashMap<>();
      node.properties().forEach(entry -> map.put(entry.getKey(), value(entry.getValue())));
      return map;
    }
    if (node.isArray()) {
      List<Object> list = new ArrayList<>();
      node.forEach(each -> list.add(value(each)));
      return list;
    }
    return scalar(node);
  }

  private static Object scalar(JsonNode node) {
    if (node.isIntegralNumber()) {
      return node.canConvertToLong() ? (Object) node.longValue() : node.bigIntegerValue();
    }
    if (node.isNumber()) {
      return node.doubleValue();
    }
    return node.isBoolean() ? (Object) node.booleanValue() : node.textValue();
  }
}
