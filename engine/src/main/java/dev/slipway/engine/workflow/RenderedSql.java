package dev.slipway.engine.workflow;

import java.util.List;

/**
 * SQL text with a {@code ?} for every value, and the values in order.
 *
 * @param text in the dialect of PostgreSQL; {@link #in} gives it in another one
 * @param quoted the names and texts that were quoted into it
 */
public record RenderedSql(String text, List<Object> values, List<Quoted> quoted) {

  /** Without quoted names or texts. */
  public RenderedSql(String text, List<Object> values) {
    this(text, values, List.of());
  }

  /** A name or a text from {@code start} to {@code end}. */
  public record Quoted(int start, int end, String content, Form form) {}

  /** What was quoted. */
  public enum Form {
    IDENTIFIER,
    LITERAL
  }

  /** For people: the text, and behind it the values of its question marks. */
  public String readable() {
    return values.isEmpty() ? text : text + " -- with " + values;
  }

  /** The text for a database. */
  public String in(SqlDialect dialect) {
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (Quoted each : quoted) {
      out.append(text, from, each.start());
      out.append(
          switch (each.form()) {
            case IDENTIFIER -> dialect.identifier(each.content());
            case LITERAL -> dialect.literal(each.content());
          });
      from = each.end();
    }
    return out.append(text, from, text.length()).toString();
  }
}
