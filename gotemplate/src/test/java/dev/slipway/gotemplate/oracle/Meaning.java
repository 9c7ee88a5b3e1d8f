package dev.slipway.gotemplate.oracle;

import dev.slipway.gotemplate.TemplateException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Classifies an error of the Java side with the categories of the oracle (oracle/meaning.go). The
 * first pattern that matches the reason wins.
 */
record Meaning(String word, Pattern pattern) {
  private static final List<Meaning> ALL =
      List.of(
          of("unknown-function", "function \".*\" (not defined|is not available)"),
          of("unknown-variable", "undefined variable"),
          of(
              "unterminated",
              "unclosed (comment|left paren|action)|comment ends before"
                  + "|unterminated (character|quoted|raw)|unexpected EOF"),
          of(
              "bad-literal",
              "bad number syntax|integer overflow|illegal number syntax"
                  + "|malformed character constant|overflows int|^invalid syntax"),
          of("outside-range", "\\{\\{(break|continue)\\}\\} outside"),
          of("duplicate-template", "multiple definition of template"),
          of("missing-value", "missing value for"),
          of("too-deep", "max expression depth exceeded|exceeded maximum template depth"),
          of(
              "not-callable",
              "can't give argument to non-function|non executable command|nil is not a command"
                  + "|is not a method but has arguments|has arguments but cannot be invoked"
                  + "|non-function .* ?of type|call of nil"),
          of(
              "syntax",
              "^(unexpected|expected end|expected :=|unrecognized|bad character"
                  + "|too many declarations|range can only|empty command)"),
          of("missing-key", "map has no entry for key|nil data; no entry for key"),
          of(
              "no-field",
              "can't evaluate field|nil pointer evaluating|indirection through explicit nil"
                  + "|unexported field"),
          of("unknown-template", "template \".*\" not defined|incomplete or empty template"),
          of("argument-count", "wrong number of args|missing argument for comparison"),
          of(
              "incomparable",
              "incompatible types for comparison|invalid type for comparison|non-comparable type"),
          of(
              "out-of-range",
              "error calling (index|slice): "
                  + "(index out of range|invalid slice index|too many slice indexes)"),
          of(
              "argument-type",
              "wrong type for value|invalid value; expected|cannot assign nil|can't handle"
                  + "|^expected .*; found"
                  + "|error calling (index|slice|len): (can't (index|slice)|cannot (index|3-index)"
                  + "|(index|slice|len) of|value )|dereference of nil"),
          of("no-range", "range can't iterate over|iterate over more than one variable"),
          of("function-failed", "error calling "));

  private static Meaning of(String word, String pattern) {
    return new Meaning(word, Pattern.compile(pattern, Pattern.DOTALL));
  }

  static String of(TemplateException failure) {
    return switch (failure.kind()) {
      case DEPTH_LIMIT -> "too-deep";
      case OUTPUT_LIMIT, ELEMENT_LIMIT, STEP_LIMIT, ITERATION_LIMIT, TIME_LIMIT -> Outcome.LIMIT;
      case PARSE, EXECUTION ->
          ALL.stream()
              .filter(each -> each.pattern.matcher(failure.reason()).find())
              .findFirst()
              .map(Meaning::word)
              .orElse("other");
    };
  }
}
