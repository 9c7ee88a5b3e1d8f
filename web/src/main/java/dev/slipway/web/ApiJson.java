package dev.slipway.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.value.Sealed;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;

/**
 * Writes response bodies as JSON. A sealed secret that reaches this class is written as the mask.
 */
public final class ApiJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(
              new SimpleModule()
                  .addSerializer(Sealed.class, new AsText<>(secret -> Sealed.MASK))
                  .addSerializer(NodeRef.class, new AsText<>(NodeRef::text))
                  .addSerializer(Enum.class, new AsText<>(ApiJson::word)))
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .addMixIn(Diagnostic.class, DiagnosticView.class)
          .build();

  private ApiJson() {}

  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer cannot be written as JSON", e);
    }
  }

  private interface DiagnosticView {
    @JsonIgnore
    boolean isError();
  }

  /** The spelling of enum constants in the API: {@code no-op}. */
  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static final class AsText<T> extends JsonSerializer<T> {
    private final Function<T, String> text;

    AsText(Function<T, String> text) {
      this.text = text;
    }

    @Override
    public void serialize(T value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(text.apply(value));
    }
  }
}
