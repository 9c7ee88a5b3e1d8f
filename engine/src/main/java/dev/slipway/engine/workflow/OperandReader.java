package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.Expression.Operand;
import dev.slipway.engine.workflow.Expression.Operator;
import dev.slipway.gotemplate.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the values of a condition: quoted text, lists, templates, placeholders, words. */
class OperandReader extends ExpressionCursor {
  static final Map<String, Operator> WORDS =
      Map.of(
          "contains", Operator.CONTAINS,
          "startsWith", Operator.STARTS_WITH,
          "endsWith", Operator.ENDS_WITH,
          "matches", Operator.MATCHES,
          "in", Operator.IN);
  private static final Set<String> RESERVED = Set.of("and", "or", "not");

  OperandReader(String source) {
    super(source);
  }

  Operand operand() {
    space();
    if (at >= source.length()) {
      throw problem(at, "a value is missing at the end of the condition", null);
    }
    int start = at;
    return switch (source.charAt(at)) {
      case '"', '\'' -> quoted(source.charAt(at));
      case '[' -> choices();
      case '{' -> template();
      case '$' -> ahead("${") ? placeholder() : variable();
      default -> word(start);
    };
  }

  private Operand quoted(char quote) {
    int start = at++;
    StringBuilder text = new StringBuilder();
    while (at < source.length() && source.charAt(at) != quote) {
      boolean escaped = source.charAt(at) == '\\' && quote == '"' && at + 1 < source.length();
      at += escaped ? 1 : 0;
      // In a pattern most backslashes are meant to stay.
      boolean kept = escaped && source.charAt(at) != '"' && source.charAt(at) != '\\';
      text.append(kept ? "\\" : "").append(source.charAt(at++));
    }
    if (at++ >= source.length()) {
      throw problem(start, "this quote is never closed", null);
    }
    String value = text.toString();
    return value.contains("{{") || value.contains("${")
        ? template(value, start)
        : new Operand.Literal(value, start);
  }

  private static Operand template(String source, int start) {
    try {
      TextTemplate.of(source);
    } catch (TemplateException e) {
      throw problem(start, e.reason(), e.hint().orElse(null));
    }
    return new Operand.Template(source, start);
  }

  private Operand choices() {
    int start = at++;
    List<Operand> items = new ArrayList<>();
    while (!take("]")) {
      items.add(simple(operand()));
      if (!take(",") && !ahead("]")) {
        throw problem(start, "this '[' is never closed", "Separate the items with commas.");
      }
    }
    return new Operand.Choices(List.copyOf(items), start);
  }

  private Operand simple(Operand item) {
    if (item instanceof Operand.Choices) {
      throw problem(item.offset(), "a list in a list", null);
    }
    return item;
  }

  private Operand template() {
    int start = at;
    int end = ahead("{{") ? TemplateScan.endOfAction(source, at) : -1;
    if (end < 0) {
      throw problem(start, "this '{' is never closed by '}}'", "Templates are {{ ... }}.");
    }
    at = end;
    return template(source.substring(start, end), start);
  }

  private Operand placeholder() {
    int start = at;
    int end = source.indexOf('}', at);
    Placeholder read = end < 0 ? null : Placeholder.read(source.substring(start + 2, end));
    if (read == null) {
      throw problem(start, "not a placeholder", "Write ${parameters.name} or ${VARIABLE}.");
    }
    at = end + 1;
    return new Operand.Hole(read, start);
  }

  private Operand variable() {
    int start = at++;
    while (at < source.length() && (Character.isLetterOrDigit(source.charAt(at)) || ahead("_"))) {
      at++;
    }
    String name = source.substring(start + 1, at);
    if (!Placeholder.VARIABLE.matcher(name).matches()) {
      throw problem(start, "'$' without the name of a variable", null);
    }
    return new Operand.Hole(new Placeholder.Variable(name, null), start);
  }

  private Operand word(int start) {
    while (at < source.length() && isWord(source.charAt(at))) {
      at++;
    }
    String text = source.substring(start, at);
    if (text.isEmpty()) {
      throw problem(start, "unexpected '" + here() + "'", "A value is expected here.");
    }
    if (RESERVED.contains(text) || WORDS.containsKey(text)) {
      throw problem(start, "a value is missing before '" + text + "'", null);
    }
    return switch (text) {
      case "true", "True" -> new Operand.Literal(true, start);
      case "false", "False" -> new Operand.Literal(false, start);
      case "null", "nil" -> new Operand.Literal(null, start);
      default ->
          ExactNumber.parse(text)
              .<Operand>map(number -> new Operand.Literal(number, start))
              .orElseGet(() -> dotted(text, start));
    };
  }

  private Operand dotted(String text, int start) {
    boolean called = ahead("(");
    boolean ended =
        text.startsWith("steps.")
            && StepEnding.of(text.substring(text.lastIndexOf('.') + 1)).isPresent();
    return called || ended ? new Operand.Word(text, start) : value(text, start);
  }

  static Operand value(String text, int start) {
    int dot = text.indexOf('.');
    boolean ours = dot > 0 && Placeholder.ROOTS.contains(text.substring(0, dot));
    return ours && Placeholder.CHAIN.matcher(text).matches()
        ? new Operand.Hole(new Placeholder.Chain(List.of(text.split("\\."))), start)
        : new Operand.Word(text, start);
  }
}
