package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition of {@code if}, {@code unless} or {@code when}, parsed. {@link #holds} evaluates it; a
 * condition without a meaning is an error there, never silently false.
 */
public sealed interface Expression {

  /** One of them holds. */
  record Or(List<Expression> parts) implements Expression {}

  /** All of them hold. */
  record And(List<Expression> parts) implements Expression {}

  /** It does not hold. */
  record Not(Expression part) implements Expression {}

  /** Two values and what is asked about them. */
  record Comparison(Operand left, Operator operator, Operand right) implements Expression {}

  /** A value that must be true by itself. */
  record Truth(Operand value) implements Expression {}

  /** How a step ended: {@code success}, {@code failed} or {@code skipped}. */
  record Ended(String step, StepEnding ending, int offset) implements Expression {}

  /** What can be asked about two values. */
  enum Operator {
    EQUAL("=="),
    DIFFERENT("!="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">="),
    CONTAINS("contains"),
    STARTS_WITH("startsWith"),
    ENDS_WITH("endsWith"),
    MATCHES("matches"),
    IN("in");

    private final String written;

    Operator(String written) {
      this.written = written;
    }

    /** As authors write it. */
    public String written() {
      return written;
    }
  }

  /** A value of an expression. Offsets count characters from the start of the source. */
  sealed interface Operand {
    int offset();

    /** A number, true, false, null, or a quoted text without templates. */
    record Literal(@Nullable Object value, int offset) implements Operand {}

    /** A word without quotes: text, or {@code step.output}. */
    record Word(String text, int offset) implements Operand {}

    /** {@code parameters.x}, {@code $VAR}, {@code ${...}}. */
    record Hole(Placeholder placeholder, int offset) implements Operand {}

    /** {@code {{ ... }}}, or a quoted text with templates inside. */
    record Template(String source, int offset) implements Operand {}

    /** {@code [a, b]}. */
    record Choices(List<Operand> items, int offset) implements Operand {}
  }

  /**
   * Parses a condition.
   *
   * @throws ExpressionException if the text is not one
   */
  static Expression parse(String source) {
    return new ExpressionParser(source).parse();
  }

  /**
   * Whether it holds.
   *
   * @throws RenderingException when a value is unknown, or a comparison has no result
   */
  default boolean holds(Scope scope) {
    return new ConditionEvaluator(scope).of(this);
  }

  /** Every operand in it, in written order. */
  default List<Operand> operands() {
    List<Operand> all = new ArrayList<>();
    collect(this, all);
    return all;
  }

  private static void collect(Expression expression, List<Operand> all) {
    switch (expression) {
      case Or or -> or.parts().forEach(part -> collect(part, all));
      case And and -> and.parts().forEach(part -> collect(part, all));
      case Not not -> collect(not.part(), all);
      case Truth truth -> collect(truth.value(), all);
      case Comparison comparison -> {
        collect(comparison.left(), all);
        collect(comparison.right(), all);
      }
      case Ended ended ->
          all.add(new Operand.Word(ended.step() + "." + ended.ending().word(), ended.offset()));
    }
  }

  private static void collect(Operand operand, List<Operand> all) {
    if (operand instanceof Operand.Choices choices) {
      choices.items().forEach(item -> collect(item, all));
    } else {
      all.add(operand);
    }
  }
}
