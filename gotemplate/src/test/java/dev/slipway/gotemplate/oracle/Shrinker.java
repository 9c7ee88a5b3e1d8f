package dev.slipway.gotemplate.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the template of a difference smaller as long as the two sides still disagree in the same
 * way.
 */
final class Shrinker {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\{\\{-? ?|\\s?-?\\}\\}|\"(\\\\.|[^\"\\\\])*\"|`[^`]*`|[$.]?[\\w.]+|\\s+|.",
          Pattern.DOTALL);
  private static final int MOST_QUESTIONS = 3_000;

  private final Oracle.Dialogue oracle;
  private int questions;

  Shrinker(Oracle.Dialogue oracle) {
    this.oracle = oracle;
  }

  Difference shrink(Difference original) {
    questions = 0;
    Difference smallest = original;
    boolean smaller = true;
    while (smaller && questions < MOST_QUESTIONS) {
      Difference next = pass(smallest);
      smaller = next.template().length() < smallest.template().length();
      smallest = next;
    }
    return smallest;
  }

  /** Tries to leave out every run of tokens, long ones first. */
  private Difference pass(Difference difference) {
    Difference smallest = difference;
    for (int length = tokens(smallest).size() / 2; length > 0; length /= 2) {
      for (int from = 0; from + length <= tokens(smallest).size(); from++) {
        Difference attempt = without(smallest, from, length);
        if (attempt != null) {
          smallest = attempt;
          from--;
        }
      }
    }
    return smallest;
  }

  private Difference without(Difference difference, int from, int length) {
    if (++questions > MOST_QUESTIONS) {
      return null;
    }
    List<String> rest = new ArrayList<>(tokens(difference));
    rest.subList(from, from + length).clear();
    String template = String.join("", rest);
    OracleCase original = difference.oracleCase();
    Optional<OracleCase> answer = oracle.ask(original.ask(template));
    if (answer.isEmpty()) {
      return null;
    }
    Outcome go = answer.get().go();
    Outcome java = JavaSide.run(original, template);
    boolean alike =
        kind(go).equals(kind(difference.go())) && kind(java).equals(kind(difference.java()));
    return alike && !Outcome.same(go, java) ? new Difference(original, template, go, java) : null;
  }

  private static String kind(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Written _ -> "written";
      case Outcome.Failed failed -> failed.phase() + failed.meaning();
      case Outcome.Crashed crashed -> crashed.cause().getClass().getName();
    };
  }

  private static List<String> tokens(Difference difference) {
    List<String> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(difference.template());
    while (matcher.find()) {
      tokens.add(matcher.group());
    }
    return tokens;
  }
}
