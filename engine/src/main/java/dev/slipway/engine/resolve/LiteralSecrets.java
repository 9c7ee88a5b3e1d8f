package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds secrets that stand in a configuration file themselves: warns of them and masks them. */
final class LiteralSecrets {
  private LiteralSecrets() {}

  /** The document as it may be shown. */
  static Map<String, Object> masked(Document document, Diagnostics diagnostics) {
    Object shown = masked(document, Path.ROOT, "", document.root(), diagnostics);
    return shown instanceof Map<?, ?> map ? Values.map(map) : Map.of();
  }

  private static Object masked(
      Document document, Path path, String key, Located value, Diagnostics diagnostics) {
    return switch (value) {
      case Located.Mapping map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.entries()
            .forEach(
                (k, e) -> out.put(k, masked(document, path.child(k), k, e.value(), diagnostics)));
        yield out;
      }
      case Located.Sequence list -> {
        List<Object> out = new ArrayList<>();
        list.items()
            .forEach(i -> out.add(masked(document, path.child(out.size()), key, i, diagnostics)));
        yield out;
      }
      case Located.Scalar scalar -> {
        if (!(scalar.plain() instanceof String text)
            || text.isEmpty()
            || text.startsWith("${")
            || !Secrets.nameSaysSecret(key)) {
          yield scalar.plain();
        }
        diagnostics.add(
            Diagnostic.warning(
                "literal-secret",
                document.file(),
                path,
                scalar.at(),
                "a secret is written in the file",
                "Write ${env:NAME} or ${file:PATH} instead."));
        yield Sealed.MASK;
      }
    };
  }
}
