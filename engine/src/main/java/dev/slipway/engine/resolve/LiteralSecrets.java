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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds secrets that stand in a configuration file themselves: warns of them and masks them. */
final class LiteralSecrets {
  private static final Pattern REFERENCES = Pattern.compile("(\\$\\{(env|file):[^}]*})+");

  /** The password of {@code scheme://user:password@host} and of {@code ?password=...}. */
  private static final Pattern IN_ADDRESS =
      Pattern.compile(
          "(://[^/:@\\s]*:)(?!\\$\\{)[^@/\\s]+(?=@)"
              + "|([?&;](?:password|token|secret)=)(?!\\$\\{)[^&;\\s]+");

  private LiteralSecrets() {}

  /**
   * A grant and {@code secretsAccess} name secrets, {@code retention.credentials} is a duration:
   * none is a secret itself. A file that is only one word has no field at all.
   */
  private static boolean harmless(Path path) {
    return path.segments().isEmpty()
        || path.segments().contains("grants")
        || path.segments().contains("secretsAccess")
        || path.segments().getFirst().equals("retention");
  }

  /** The document as it may be shown. */
  static Map<String, Object> masked(Document document, Diagnostics diagnostics) {
    Object shown = masked(document, Path.ROOT, "", document.root(), diagnostics);
    return shown instanceof Map<?, ?> map ? Values.map(map) : Map.of();
  }

  private static @Nullable Object masked(
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
            || REFERENCES.matcher(text).matches()
            || harmless(path)) {
          yield scalar.plain();
        }
        boolean whole = Secrets.nameSaysSecret(key) || path.segments().getFirst().equals("secrets");
        String shown =
            whole ? Sealed.MASK : IN_ADDRESS.matcher(text).replaceAll("$1$2" + Sealed.MASK);
        if (shown.equals(text)) {
          yield text;
        }
        diagnostics.add(
            Diagnostic.warning(
                "literal-secret",
                document.file(),
                path,
                scalar.at(),
                "a secret is written in the file",
                "Write ${env:NAME} or ${file:PATH} instead."));
        yield shown;
      }
    };
  }
}
