package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.regex.Regex;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on versions: alternatives separated by {@code ||}, each of them conditions that must
 * all hold, separated by commas or spaces.
 */
record Constraint(List<List<VersionCondition>> alternatives) {
  private static final String WORDS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
  private static final String NUMBER = "[0-9xX*]+";
  private static final String PARTIAL =
      "v?(NUMBER)(?:\\.(NUMBER))?(?:\\.(NUMBER))?(-WORDS)?(\\+WORDS)?"
          .replace("NUMBER", NUMBER)
          .replace("WORDS", WORDS);
  private static final String OPERATOR = "(!=|>=|=>|<=|=<|~>|=|>|<|~|\\^|)";
  private static final Regex RANGE =
      Regex.compile("\\s*(" + PARTIAL + ")\\s+-\\s+(" + PARTIAL + ")\\s*");
  private static final Pattern CONDITION = Pattern.compile(OPERATOR + "\\s*" + PARTIAL);
  private static final Pattern GAP = Pattern.compile("\\s*,\\s*|\\s+");

  static Constraint of(String text) {
    if (text.length() > 1000) {
      throw new IllegalArgumentException("constraint of more than 1000 characters");
    }
    String plain = RANGE.replaceAll(text, ">= ${1}, <= ${7} ");
    List<List<VersionCondition>> alternatives = new ArrayList<>();
    for (String part : plain.split("\\|\\|", -1)) {
      alternatives.add(conditions(part));
    }
    return new Constraint(alternatives);
  }

  private static List<VersionCondition> conditions(String part) {
    List<VersionCondition> conditions = new ArrayList<>();
    String text = part.strip();
    Matcher matcher = CONDITION.matcher(text);
    int at = 0;
    do {
      matcher.region(at, text.length());
      if (!matcher.lookingAt()) {
        throw new IllegalArgumentException("improper constraint: " + part);
      }
      conditions.add(VersionCondition.of(matcher));
      Matcher gap = GAP.matcher(text).region(matcher.end(), text.length());
      at = gap.lookingAt() ? gap.end() : text.length();
      if (at == text.length() && matcher.end() < text.length()) {
        throw new IllegalArgumentException("improper constraint: " + part);
      }
    } while (at < text.length());
    return conditions;
  }

  boolean isMetBy(Version version) {
    return alternatives.stream()
        .anyMatch(all -> all.stream().allMatch(condition -> condition.isMetBy(version)));
  }
}
