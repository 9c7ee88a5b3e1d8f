package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.Expression.Operand;
import dev.slipway.engine.workflow.Expression.Operator;
import dev.slipway.gotemplate.TemplateException;
import dev.slipway.gotemplate.regex.Regex;
import dev.slipway.gotemplate.regex.RegexSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a condition from left to right, in one pass. */
final class ExpressionParser {
  private static final int LONGEST = 10_000;
  private static final int DEEPEST = 64;
  private static final Set<String> ENDINGS = Set.of("success", "failed", "skipped");

  /** How a value begins that is no bare pattern: quotes, templates, variables, dotted names. */
  private static final Pattern VALUE_FIRST =
      Pattern.compile("[\"']|\\{\\{|\\$\\{|\\$[A-Za-z_]|[A-Za-z0-9_.-]+$");

  private static final Map<String, Operator> WORDS =
      Map.of(
          "contains", Operator.CONTAINS,
          "startsWith", Operator.STARTS_WITH,
          "endsWith", Operator.ENDS_WITH,
          "matches", Operator.MATCHES,
          "in", Operator.IN);
  private static final Set<String> RESERVED = Set.of("and", "or", "not");

  private final String source;
  private int at;
  private int depth;

  ExpressionParser(String source) {
    this.source = source;
  }

  Expression parse() {
    if (source.length() > LONGEST) {
      throw problem(0, "a condition may have at most " + LONGEST + " characters", null);
    }
    Expression expression = or();
    space();
    if (at < source.length()) {
      throw problem(at, "unexpected '" + here() + "' after the condition", connectHint());
    }
    return expression;
  }

  private String connectHint() {
    return comparison() != null
        ? "Compare two values at a time and connect with 'and'."
        : "Connect conditions with 'and' or 'or', and put text with spaces in quotes.";
  }

  private Expression or() {
    List<Expression> parts = parts(this::and, "or", "||");
    return parts.size() == 1 ? parts.getFirst() : new Expression.Or(parts);
  }

  private Expression and() {
    List<Expression> parts = parts(this::not, "and", "&&");
    return parts.size() == 1 ? parts.getFirst() : new Expression.And(parts);
  }

  private List<Expression> parts(Supplier<Expression> part, String word, String sign) {
    List<Expression> parts = new ArrayList<>(List.of(part.get()));
    while (takeWord(word) || take(sign)) {
      parts.add(part.get());
    }
    return List.copyOf(parts);
  }

  private Expression not() {
    boolean negated = false;
    while (takeWord("not") || !ahead("!=") && take("!")) {
      negated = !negated;
    }
    Expression part = group();
    return negated ? new Expression.Not(part) : part;
  }

  private Expression group() {
    space();
    int start = at;
    if (!take("(")) {
      return comparisonOrTruth();
    }
    if (++depth > DEEPEST) {
      throw problem(start, "parentheses may be nested " + DEEPEST + " deep", null);
    }
    Expression inside = or();
    if (!take(")")) {
      throw problem(start, "this '(' is never closed", null);
    }
    depth--;
    return inside;
  }

  private Expression comparisonOrTruth() {
    Operand left = operand();
    Operator method = method();
    if (method != null) {
      return call(left, method);
    }
    if (left instanceof Operand.Word word && callOf(word) instanceof Expression called) {
      return called;
    }
    Operator operator = comparison();
    if (operator == null) {
      return alone(left);
    }
    take(operator.written());
    Operand right = operator == Operator.MATCHES ? pattern() : operand();
    return checked(new Expression.Comparison(left, operator, right));
  }

  /** A bare pattern ends at a space, or at a parenthesis that it did not open. */
  private Operand pattern() {
    space();
    int start = at;
    int open = 0;
    int end = at;
    while (end < source.length() && !Character.isWhitespace(source.charAt(end))) {
      open += source.charAt(end) == '(' ? 1 : source.charAt(end) == ')' ? -1 : 0;
      if (open < 0) {
        break;
      }
      end++;
    }
    String text = source.substring(start, end);
    if (text.isEmpty() || VALUE_FIRST.matcher(text).lookingAt()) {
      return operand();
    }
    at = end;
    return new Operand.Literal(text, start);
  }

  /** {@code x.contains("y")}: the method's name was read as the last part of a dotted word. */
  private @Nullable Expression callOf(Operand.Word word) {
    int dot = word.text().lastIndexOf('.');
    Operator method = WORDS.get(word.text().substring(dot + 1));
    if (dot < 1 || method == null || !ahead("(")) {
      return null;
    }
    return call(value(word.text().substring(0, dot), word.offset()), method);
  }

  private Expression call(Operand left, Operator method) {
    int start = at;
    if (!take("(")) {
      throw problem(start, "expected '(' after " + method.written(), null);
    }
    Operand argument = operand();
    if (!take(")")) {
      throw problem(start, "this '(' is never closed", null);
    }
    return checked(new Expression.Comparison(left, method, argument));
  }

  private @Nullable Operator method() {
    for (Map.Entry<String, Operator> each : WORDS.entrySet()) {
      String call = "." + each.getKey() + "(";
      if (source.startsWith(call, at)) {
        at += call.length() - 1;
        return each.getValue();
      }
    }
    return null;
  }

  private Expression alone(Operand value) {
    if (value instanceof Operand.Word word) {
      int dot = word.text().lastIndexOf('.');
      String ending = word.text().substring(dot + 1);
      if (dot > 0 && ENDINGS.contains(ending)) {
        String step = word.text().substring(0, dot);
        return new Expression.Ended(
            step.startsWith("steps.") ? step.substring(6) : step, ending, word.offset());
      }
      if (dot < 0) {
        throw problem(
            word.offset(),
            "the word '" + word.text() + "' alone is neither true nor false",
            "Write parameters."
                + word.text()
                + " or variables."
                + word.text()
                + ", or compare it.");
      }
    }
    return new Expression.Truth(value);
  }

  private Expression checked(Expression.Comparison comparison) {
    if (comparison.operator() == Operator.MATCHES
        && comparison.right() instanceof Operand.Literal literal
        && literal.value() instanceof String pattern) {
      try {
        Regex.compile(pattern);
      } catch (RegexSyntaxException e) {
        throw problem(literal.offset(), "not a regular expression: " + e.getMessage(), null);
      }
    }
    return comparison;
  }

  private @Nullable Operator comparison() {
    space();
    if (ahead("=~")) {
      throw problem(at, "unexpected '=~'", "Write 'matches'.");
    }
    for (Operator operator :
        List.of(
            Operator.EQUAL,
            Operator.DIFFERENT,
            Operator.AT_MOST,
            Operator.AT_LEAST,
            Operator.LESS,
            Operator.GREATER)) {
      if (ahead(operator.written())) {
        return operator;
      }
    }
    if (ahead("=")) {
      throw problem(at, "unexpected '='", "Write '=='.");
    }
    return WORDS.get(wordAhead());
  }

  private Operand operand() {
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
        text.startsWith("steps.") && ENDINGS.contains(text.substring(text.lastIndexOf('.') + 1));
    return called || ended ? new Operand.Word(text, start) : value(text, start);
  }

  private static Operand value(String text, int start) {
    int dot = text.indexOf('.');
    boolean ours = dot > 0 && Placeholder.ROOTS.contains(text.substring(0, dot));
    return ours && Placeholder.CHAIN.matcher(text).matches()
        ? new Operand.Hole(new Placeholder.Chain(List.of(text.split("\\."))), start)
        : new Operand.Word(text, start);
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || "_-.:/@+*%~#^".indexOf(c) >= 0;
  }

  private void space() {
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
  }

  private boolean ahead(String text) {
    return source.startsWith(text, at);
  }

  private boolean take(String text) {
    space();
    boolean there = ahead(text);
    at += there ? text.length() : 0;
    return there;
  }

  private boolean takeWord(String word) {
    space();
    boolean there = wordAhead().equals(word);
    at += there ? word.length() : 0;
    return there;
  }

  private String wordAhead() {
    int end = at;
    while (end < source.length() && isWord(source.charAt(end))) {
      end++;
    }
    return source.substring(at, end);
  }

  private String here() {
    String word = wordAhead();
    return word.isEmpty() && at < source.length()
        ? Character.toString(source.codePointAt(at))
        : word.substring(0, Math.min(word.length(), 40));
  }

  private static ExpressionException problem(int offset, String message, @Nullable String hint) {
    return new ExpressionException(message, offset, hint);
  }
}
