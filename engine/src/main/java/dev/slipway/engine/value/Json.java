package dev.slipway.engine.value;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON text to values and back, exactly: integers stay integers of any size, secrets stay sealed.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .registerModule(new SimpleModule().addSerializer(Sealed.class, new SealedWriter()));

  private Json() {}

  /** Compact JSON of a value. */
  public static String write(@Nullable Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a JSON value: " + e.getOriginalMessage(), e);
    }
  }

  /** JSON of a value with line breaks, for people. */
  public static String pretty(@Nullable Object value) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a JSON value: " + e.getOriginalMessage(), e);
    }
  }

  /** The value of a JSON text; sealed leaves come back as {@link Sealed}. */
  public static @Nullable Object read(String json) {
    return read(json, EncryptionContext.NONE);
  }

  /** The same for a text that a row holds: its sealed leaves belong to that row. */
  public static @Nullable Object read(String json, EncryptionContext context) {
    try {
      return normal(MAPPER.readValue(json, Object.class), context);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The object of a JSON text. */
  public static Map<String, Object> readMap(String json) {
    return readMap(json, EncryptionContext.NONE);
  }

  /** The object of a JSON text that a row holds. */
  public static Map<String, Object> readMap(String json, EncryptionContext context) {
    if (read(json, context) instanceof Map<?, ?> map) {
      return Values.map(map);
    }
    throw new IllegalArgumentException("not a JSON object");
  }

  private static @Nullable Object normal(@Nullable Object value, EncryptionContext context) {
    return switch (value) {
      case Map<?, ?> map -> {
        if (map.size() == 1 && map.get(Sealed.KEY) instanceof String text) {
          yield new Sealed(text, context);
        }
        Map<String, Object> out = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((k, v) -> out.put((String) k, normal(v, context)));
        yield out;
      }
      case List<?> list -> {
        List<Object> out = new ArrayList<>(list.size());
        list.forEach(v -> out.add(normal(v, context)));
        yield out;
      }
      case Integer i -> i.longValue();
      case BigInteger big when big.bitLength() < 64 -> big.longValue();
      case null -> null;
      default -> value;
    };
  }

  private static final class SealedWriter extends JsonSerializer<Sealed> {
    @Override
    public void serialize(Sealed sealed, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeStartObject();
      json.writeStringField(Sealed.KEY, sealed.ciphertext());
      json.writeEndObject();
    }
  }
}
