package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Located;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Renders Kubernetes manifests. The YAML is read first and values are inserted afterwards, so that
 * a value can add neither a key nor a document. A template in a plain scalar takes the type that
 * its result has in YAML; in quotes and below {@code metadata}, {@code data} and {@code stringData}
 * it stays a string. Only {@code toYaml} and {@code toJson} emit structure.
 */
public final class ManifestRendering {
  private static final Set<String> TEXTS = Set.of("metadata", "data", "stringData");

  private ManifestRendering() {}

  /** What stands at the place of a scalar. */
  private enum Type {
    AS_IN_YAML,
    TEXT
  }

  /**
   * A manifest as it is written in a workflow: a text of one or several documents, a map, a list.
   */
  static List<RenderedManifest> render(Object written, Scope scope) {
    return switch (written) {
      case String text -> documents("manifest", ManifestText.of(text), inserting(scope));
      case List<?> list -> list.stream().flatMap(each -> render(each, scope).stream()).toList();
      case Map<?, ?> map -> List.of(new RenderedManifest(tree(map, scope), Optional.empty()));
      default -> throw new RenderingException("must be YAML documents, a map or a list", null);
    };
  }

  /**
   * A file of manifests, in which templates are not looked for.
   *
   * @throws RenderingException when it is not YAML
   */
  public static List<RenderedManifest> read(String file, String text) {
    return documents(file, ManifestText.literal(text), (scalar, _) -> scalar.plain());
  }

  /** Why a text cannot be read before its templates are rendered; empty when it can. */
  static Optional<RenderingException> problem(String text) {
    try {
      // A template may become a map.
      documents(
          "manifest",
          ManifestText.of(text),
          (scalar, place) -> place.manifest().marked(scalar.text()) ? Map.of() : scalar.plain());
      return Optional.empty();
    } catch (RenderingException e) {
      return Optional.of(e);
    }
  }

  private static List<RenderedManifest> documents(
      String name,
      ManifestText manifest,
      BiFunction<Located.Scalar, Inserted, @Nullable Object> values) {
    List<RenderedManifest> all = new ArrayList<>();
    for (String part : manifest.documents()) {
      Diagnostics problems = new Diagnostics();
      Optional<Document> document = Document.parse(name, part, Limits.PROVIDER, problems);
      if (document.isEmpty() || problems.hasErrors()) {
        throw broken(problems, manifest);
      }
      Located root = document.get().root();
      if (root.plain() != null) {
        Object content = values(root, new Inserted(manifest, part, Type.AS_IN_YAML), values, 0);
        if (!(content instanceof Map<?, ?> map)) {
          throw new RenderingException(
              name + ":" + root.at() + ": a manifest is a map, found " + root.kind(), null);
        }
        all.add(new RenderedManifest(keyed(map), document));
      }
    }
    return all;
  }

  private static RenderingException broken(Diagnostics problems, ManifestText manifest) {
    String first = problems.errors().isEmpty() ? "not YAML" : problems.errors().getFirst().text();
    return new RenderingException(
        manifest.restored(first),
        manifest.hasTemplates()
            ? "Values are inserted after the YAML is read: {{ if }} and {{ range }} can stand only"
                + " within one value."
            : null);
  }

  /** Where a scalar stands: in which text, and whether it has to be a string. */
  private record Inserted(ManifestText manifest, String part, Type type) {
    Inserted below(String key, int depth) {
      return depth == 0 && TEXTS.contains(key) ? new Inserted(manifest, part, Type.TEXT) : this;
    }
  }

  private static @Nullable Object values(
      Located value,
      Inserted place,
      BiFunction<Located.Scalar, Inserted, @Nullable Object> values,
      int depth) {
    return switch (value) {
      case Located.Mapping map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.entries()
            .forEach(
                (key, entry) -> {
                  if (place.manifest().marked(key)) {
                    throw new RenderingException(
                        "manifest:" + entry.keyAt() + ": a key cannot hold a template",
                        "Write the key itself, or emit the map with toYaml.");
                  }
                  out.put(key, values(entry.value(), place.below(key, depth), values, depth + 1));
                });
        yield out;
      }
      case Located.Sequence list -> {
        List<Object> out = new ArrayList<>();
        list.items().forEach(item -> out.add(values(item, place, values, depth + 1)));
        yield out;
      }
      case Located.Scalar scalar -> values.apply(scalar, place);
    };
  }

  private static BiFunction<Located.Scalar, Inserted, @Nullable Object> inserting(Scope scope) {
    return (scalar, place) -> {
      if (!(scalar.plain() instanceof String text) || !place.manifest().marked(text)) {
        return scalar.plain();
      }
      String source = place.manifest().restored(text);
      try {
        return inserted(source, scalar, place, scope);
      } catch (RenderingException e) {
        throw e.in("manifest:" + scalar.at());
      }
    };
  }

  private static @Nullable Object inserted(
      String source, Located.Scalar scalar, Inserted place, Scope scope) {
    TextTemplate template = TextTemplate.of(source);
    if (ManifestText.quoted(place.part(), scalar.at())) {
      return template.text(scope);
    }
    if (source.contains("toYaml") || source.contains("toJson")) {
      return structure(template.text(scope), place.type());
    }
    if (place.type() == Type.TEXT) {
      return template.text(scope);
    }
    Object value = template.value(scope);
    return value instanceof String text ? ManifestText.core(text) : value;
  }

  private static @Nullable Object structure(String text, Type type) {
    Diagnostics problems = new Diagnostics();
    Object value =
        Document.parse("value", text, Limits.PROVIDER, problems)
            .map(Document::plain)
            .orElseThrow(
                () -> new RenderingException("what toYaml emitted is not YAML by itself", null));
    return type == Type.TEXT ? texts(value) : value;
  }

  private static Object texts(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((key, each) -> out.put(String.valueOf(key), texts(each)));
        yield out;
      }
      case List<?> list -> list.stream().map(ManifestRendering::texts).toList();
      case null -> "";
      default -> String.valueOf(value);
    };
  }

  private static Map<String, Object> tree(Map<?, ?> map, Scope scope) {
    Map<String, Object> out = new LinkedHashMap<>();
    map.forEach(
        (key, each) -> {
          String name = String.valueOf(key);
          out.put(name, TEXTS.contains(name) ? text(each, scope) : Rendering.tree(each, scope));
        });
    return out;
  }

  private static @Nullable Object text(@Nullable Object written, Scope scope) {
    return switch (written) {
      case String text when TemplateScan.hasTemplate(text) -> {
        Object value = TextTemplate.of(text).value(scope);
        yield value instanceof Map || value instanceof List
            ? texts(value)
            : TextTemplate.of(text).text(scope);
      }
      case Map<?, ?> map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((key, each) -> out.put(String.valueOf(key), text(each, scope)));
        yield out;
      }
      case List<?> list -> {
        List<Object> out = new ArrayList<>();
        list.forEach(each -> out.add(text(each, scope)));
        yield out;
      }
      case null, default -> written;
    };
  }

  private static Map<String, Object> keyed(Map<?, ?> map) {
    Map<String, Object> out = new LinkedHashMap<>();
    map.forEach((key, each) -> out.put(String.valueOf(key), each));
    return out;
  }
}
