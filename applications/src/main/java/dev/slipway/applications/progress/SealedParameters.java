package dev.slipway.applications.progress;

import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.workflow.ParameterBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Seals what is secret among the parameters of a run. */
record SealedParameters(SecretBox box) {
  Map<String, @Nullable Object> of(
      ParameterBinding.Bound bound,
      Map<String, @Nullable Object> params,
      Map<String, @Nullable Object> outputs) {
    List<String> texts = new ArrayList<>();
    collect(params, texts);
    collect(outputs, texts);
    Secrets secrets = Secrets.of(texts);
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    bound
        .values()
        .forEach(
            (name, value) -> {
              boolean all = bound.secrets().contains(name);
              values.put(
                  name,
                  box.sealLeaves(
                      value,
                      (path, leaf) ->
                          all
                              || says(name, path)
                              || leaf instanceof String text && secrets.embeds(text)));
            });
    // What was sealed before stays so, whatever its shape.
    params.forEach(
        (name, value) -> {
          if (value instanceof Sealed && !(values.get(name) instanceof Sealed)) {
            values.put(name, box.seal(values.get(name)));
          }
        });
    return values;
  }

  private static boolean says(String name, String path) {
    if (Secrets.nameSaysSecret(name)) {
      return true;
    }
    for (String key : path.split("\\.")) {
      if (!key.isEmpty() && Secrets.nameSaysSecret(key)) {
        return true;
      }
    }
    return false;
  }

  private void collect(@Nullable Object tree, List<String> texts) {
    switch (tree) {
      case Map<?, ?> map -> map.values().forEach(v -> collect(v, texts));
      case List<?> list -> list.forEach(v -> collect(v, texts));
      case Sealed sealed -> {
        if (box.open(sealed) instanceof String text) {
          texts.add(text);
        }
      }
      case null, default -> {}
    }
  }
}
