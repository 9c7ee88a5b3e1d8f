package dev.slipway.gotemplate.sprig;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Dict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON the way Go decodes it into any: numbers are float64, the last of equal keys wins. */
final class JsonReader {
  /** Text that is not JSON. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  /** Without limits of the library: the budget of the template and {@link Depth} bound the text. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  private final Call call;
  private final String text;
  private final Depth depth;

  JsonReader(Call call, String text) {
    this.call = call;
    this.text = text;
    this.depth = new Depth(call);
  }

  @Nullable Object read() throws Malformed {
    call.charge(text.length() >> 4);
    try (JsonParser parser = JSON.createParser(text)) {
      Object value = value(parser, parser.nextToken());
      if (parser.nextToken() != null) {
        throw malformed(parser.currentTokenLocation());
      }
      return value;
    } catch (JsonProcessingException e) {
      throw malformed(e.getLocation());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private @Nullable Object value(JsonParser parser, @Nullable JsonToken token)
      throws IOException, Malformed {
    call.charge(1);
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> valid(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case null, default -> throw malformed(parser.currentLocation());
    };
  }

  private Map<String, Object> object(JsonParser parser) throws IOException, Malformed {
    depth.enter();
    Map<String, Object> map = new Dict();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = valid(parser.currentName());
      map.put(key, value(parser, parser.nextToken()));
    }
    depth.leave();
    return map;
  }

  private List<Object> array(JsonParser parser) throws IOException, Malformed {
    depth.enter();
    List<Object> list = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      list.add(value(parser, token));
    }
    depth.leave();
    return list;
  }

  private static Double number(JsonParser parser) throws IOException, Malformed {
    double number = Double.parseDouble(parser.getText());
    if (Double.isInfinite(number)) {
      throw new Malformed("json: a number is too large for float64");
    }
    return number;
  }

  /** Halves of characters and bytes that are not UTF-8 become the replacement character. */
  private static String valid(String text) {
    return text.codePoints().allMatch(c -> Runes.valid(c) == c) ? text : Runes.map(text, c -> c);
  }

  /** Names the place and not the text, which may be a secret. */
  private static Malformed malformed(@Nullable JsonLocation at) {
    return new Malformed(
        at == null
            ? "this is not JSON"
            : "this is not JSON: line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()));
  }
}
