package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.RenderedSql.Form;
import dev.slipway.engine.workflow.RenderedSql.Quoted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts values into SQL as bind parameters, names and texts as quoted ones. */
final class SqlRendering {
  static final String UNCLEAR =
      "a backslash stands before a quote, which databases read differently";
  static final String UNCLEAR_HINT = "Write '' for a quote inside a string.";
  static final String MIXED = "a statement has both templates and '?' for params";
  static final String MIXED_HINT = "Use one of them; write ?? for an operator.";

  private SqlRendering() {}

  static RenderedSql render(List<Piece> pieces) {
    SqlReader reader = new SqlReader();
    StringBuilder text = new StringBuilder();
    List<Object> values = new ArrayList<>();
    List<Quoted> quoted = new ArrayList<>();
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Authored(String authored) -> {
          reader.read(authored);
          text.append(authored);
        }
        case Piece.Emitted emitted -> {
          check(reader);
          emit(emitted.value(), text, values, quoted);
        }
      }
    }
    if (!values.isEmpty() && reader.marks() > 0) {
      throw new RenderingException(MIXED, MIXED_HINT);
    }
    return new RenderedSql(text.toString(), values, List.copyOf(quoted));
  }

  private static void check(SqlReader reader) {
    if (reader.place() != SqlReader.Place.CODE) {
      throw new RenderingException(
          "a value stands in " + reader.place().words, reader.place().advice);
    }
    if (reader.isUnclear()) {
      throw new RenderingException(UNCLEAR, UNCLEAR_HINT);
    }
  }

  private static void emit(
      @Nullable Object value, StringBuilder text, List<Object> values, List<Quoted> quoted) {
    switch (value) {
      case TemplateLanguage.Identifier(String name) -> quote(text, quoted, name, Form.IDENTIFIER);
      case TemplateLanguage.Literal(String content) -> quote(text, quoted, content, Form.LITERAL);
      case null, default -> {
        text.append('?');
        values.add(value);
      }
    }
  }

  private static void quote(StringBuilder text, List<Quoted> quoted, String content, Form form) {
    if (content.indexOf('\0') >= 0 || form == Form.IDENTIFIER && content.isEmpty()) {
      throw new RenderingException("a name is empty or contains a NUL character", null);
    }
    int start = text.length();
    text.append(
        form == Form.IDENTIFIER
            ? SqlDialect.POSTGRESQL.identifier(content)
            : SqlDialect.POSTGRESQL.literal(content));
    quoted.add(new Quoted(start, text.length(), content, form));
  }
}
