package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.Expression.Operand;
import dev.slipway.engine.workflow.Expression.Operator;
import dev.slipway.gotemplate.regex.Regex;
import dev.slipway.gotemplate.regex.RegexSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a condition from left to right, in one pass. */
final class ExpressionParser extends OperandReader {
  private static final int LONGEST = 10_000;
  private static final int DEEPEST = 64;

  /** How a value begins that is no bare pattern: quotes, templates, variables, dotted names. */
  private static final Pattern VALUE_FIRST =
      Pattern.compile("[\"']|\\{\\{|\\$\\{|\\$[A-Za-z_]|[A-Za-z0-9_.-]+$");

  private int depth;

  ExpressionParser(String source) {
    super(source);
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
      Optional<StepEnding> ending = StepEnding.of(word.text().substring(dot + 1));
      if (dot > 0 && ending.isPresent()) {
        String step = word.text().substring(0, dot);
        return new Expression.Ended(
            step.startsWith("steps.") ? step.substring(6) : step, ending.get(), word.offset());
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
}
