package dev.slipway.applications.plan;

import dev.slipway.applications.score.Score;
import dev.slipway.applications.score.ScorePlaceholder;
import dev.slipway.applications.score.Substitution;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the placeholders whose values are known without any resource: metadata, environment,
 * images. Placeholders of resources and the escapes of the text stay as they were written.
 */
record OwnValues(Score score, Target target, SecretBox box) {
  /** Where a document is deployed to. */
  record Target(String environment, String environmentType) {}

  @Nullable Object in(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> out = new LinkedHashMap<>();
        map.forEach((key, inner) -> out.put((String) key, in(inner)));
        yield out;
      }
      case List<?> list -> {
        List<@Nullable Object> out = new ArrayList<>();
        list.forEach(inner -> out.add(in(inner)));
        yield out;
      }
      case String text -> text.contains("${") ? text(text) : text;
      case Sealed sealed ->
          box.open(sealed) instanceof String text && text.contains("${")
              ? box.seal(text(text))
              : sealed;
      case null -> null;
      default -> value;
    };
  }

  private @Nullable Object text(String text) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (Substitution.Reference reference : Substitution.parse(text).references()) {
      int end = text.indexOf('}', reference.offset()) + 1;
      if (reference.placeholder() instanceof ScorePlaceholder.Output
          || reference.placeholder() instanceof ScorePlaceholder.Id) {
        continue;
      }
      Object value = own(reference.placeholder());
      if (reference.offset() == 0 && end == text.length()) {
        return value instanceof String plain ? escape(plain) : value;
      }
      out.append(text, at, reference.offset()).append(escape(Binding.inText(value)));
      at = end;
    }
    return out.append(text, at, text.length()).toString();
  }

  private @Nullable Object own(ScorePlaceholder placeholder) {
    return switch (placeholder) {
      case ScorePlaceholder.Metadata(List<String> keys) -> metadata(keys);
      case ScorePlaceholder.Environment(String field) ->
          field.equals("name") ? target.environment() : target.environmentType();
      case ScorePlaceholder.Image(String container) -> {
        Score.Container found = score.containers().get(container);
        yield found == null ? "" : found.image();
      }
      case ScorePlaceholder.Output _, ScorePlaceholder.Id _ ->
          throw new IllegalArgumentException("not the document's own: " + placeholder);
    };
  }

  private @Nullable Object metadata(List<String> keys) {
    Object here = score.metadata().values();
    for (String key : keys) {
      here = here instanceof Map<?, ?> map ? map.get(key) : null;
    }
    return here;
  }

  /** So that it comes out as it is when placeholders are resolved. */
  static String escape(String text) {
    return text.replace("$", "$$");
  }
}
