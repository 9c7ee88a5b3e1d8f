package dev.slipway.engine.workflow;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.TemplateScan.Holes;
import dev.slipway.engine.workflow.TemplateScan.Part;
import dev.slipway.gotemplate.Emitter;
import dev.slipway.gotemplate.Output;
import dev.slipway.gotemplate.Position;
import dev.slipway.gotemplate.Reference;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.TemplateException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A text with Go templates and {@code ${...}} placeholders in it. What they emit is never looked at
 * again. Immutable.
 */
final class TextTemplate {
  private static final Holes ALL = new Holes.All();
  private static final Template PRINT = Template.parse("value", "{{ . }}");

  private final String source;
  private final Holes holes;
  private final Optional<Template> template;

  private TextTemplate(String source, Holes holes) {
    this.source = source;
    this.holes = holes;
    this.template =
        source.contains("{{") ? Optional.of(TemplateLanguage.parse(source)) : Optional.empty();
  }

  /** Every {@code ${...}} is a placeholder. */
  static TextTemplate of(String source) {
    return new TextTemplate(source, ALL);
  }

  /** Only some {@code ${...}} are placeholders. */
  static TextTemplate of(String source, Holes holes) {
    return new TextTemplate(source, holes);
  }

  /** The field chains that its actions mention. */
  List<Reference> references() {
    return template.map(Template::references).orElse(List.of());
  }

  /** The text with every value printed. */
  String text(Scope scope) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces(scope)) {
      text.append(
          switch (piece) {
            case Piece.Authored authored -> authored.text();
            case Piece.Emitted emitted -> print(emitted);
          });
    }
    return bounded(text).toString();
  }

  /** The value itself when the text is exactly one expression, else the text. */
  @Nullable Object value(Scope scope) {
    if (template.isPresent() && template.get().isSingleExpression()) {
      return outsideSql(TemplateLanguage.plain(guarded(() -> dated(scope).evaluate(scope.data()))));
    }
    List<Part> parts = template.isPresent() ? List.of() : TemplateScan.holes(source, holes);
    return parts.size() == 1 && parts.getFirst() instanceof Part.Hole hole
        ? resolve(hole, scope)
        : text(scope);
  }

  /** What it consists of with the values of a scope. */
  List<Piece> pieces(Scope scope) {
    Collector collector = new Collector(scope);
    if (template.isEmpty()) {
      collector.authored(source);
    } else {
      guarded(() -> dated(scope).execute(scope.data(), collector));
    }
    return collector.pieces;
  }

  private Template dated(Scope scope) {
    Clock clock = Clock.fixed(scope.now(), ZoneOffset.UTC);
    return template.orElseThrow().with(TemplateLanguage.SETTINGS.withClock(clock));
  }

  static String print(Piece.Emitted emitted) {
    return switch (outsideSql(emitted.value())) {
      case null -> "";
      case String text -> text;
      case List<?> list when emitted.origin() == Piece.Origin.PLACEHOLDER -> Json.write(list);
      case Map<?, ?> map when emitted.origin() == Piece.Origin.PLACEHOLDER -> Json.write(map);
      case Object value -> PRINT.execute(value);
    };
  }

  private static @Nullable Object outsideSql(@Nullable Object value) {
    if (value instanceof TemplateLanguage.Identifier || value instanceof TemplateLanguage.Literal) {
      throw new RenderingException("'ident' and 'literal' quote for SQL, and this is none", null);
    }
    return value;
  }

  private static CharSequence bounded(CharSequence text) {
    if (text.length() > TemplateLanguage.MOST_OUTPUT) {
      throw new RenderingException(
          "the rendered text has more than " + TemplateLanguage.MOST_OUTPUT + " characters", null);
    }
    return text;
  }

  private static @Nullable Object resolve(Part.Hole hole, Scope scope) {
    Placeholder placeholder = Placeholder.read(hole.inside());
    if (placeholder == null) {
      throw new RenderingException(
          "'${" + hole.inside() + "}' is not a placeholder", "Write $${ for a plain '${'.");
    }
    return placeholder.resolve(scope);
  }

  private static <T extends @Nullable Object> T guarded(Supplier<T> work) {
    try {
      return work.get();
    } catch (TemplateException e) {
      throw RenderingException.of(e);
    }
  }

  /** Keeps authored text and emitted values apart. */
  private final class Collector implements Emitter {
    private final Scope scope;
    private final List<Piece> pieces = new ArrayList<>();

    Collector(Scope scope) {
      this.scope = scope;
    }

    @Override
    public void text(String literal, Output output) {
      output.append(literal);
      authored(literal);
    }

    @Override
    public void value(@Nullable Object value, Position position, Output output) {
      output.append(value instanceof String text ? text : "");
      pieces.add(new Piece.Emitted(TemplateLanguage.plain(value), Piece.Origin.ACTION));
    }

    void authored(String literal) {
      for (Part part : TemplateScan.holes(literal, holes)) {
        pieces.add(
            part instanceof Part.Hole hole
                ? new Piece.Emitted(resolve(hole, scope), Piece.Origin.PLACEHOLDER)
                : new Piece.Authored(((Part.Plain) part).text()));
      }
    }
  }
}
