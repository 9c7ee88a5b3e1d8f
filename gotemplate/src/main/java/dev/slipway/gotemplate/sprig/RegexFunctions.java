package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.NilList;
import dev.slipway.gotemplate.Text;
import dev.slipway.gotemplate.TypedList;
import dev.slipway.gotemplate.regex.Match;
import dev.slipway.gotemplate.regex.Regex;
import dev.slipway.gotemplate.regex.RegexSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Regular expressions of RE2. What a search does is charged to the template. */
final class RegexFunctions {
  /** Small patterns stay compiled; the map is emptied when it is full. */
  private static final int MAX_KEPT = 256;

  private static final int MAX_KEPT_LENGTH = 200;
  private static final Map<String, Regex> KEPT = new ConcurrentHashMap<>();

  private RegexFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("Regular expressions")
        .add(
            "regexMatch",
            "(regex string, s string) bool",
            "whether the pattern is found; false for a bad pattern",
            RegexFunctions::matches)
        .add(
            "mustRegexMatch",
            "(regex string, s string) bool",
            "whether the pattern is found",
            c -> regex(c).foundIn(c.string(1)))
        .add(
            "regexFind",
            "(regex string, s string) string",
            "the first match",
            c -> regex(c).find(c.string(1)).map(Match::text).orElse(""))
        .also("mustRegexFind")
        .add(
            "regexFindAll",
            "(regex string, s string, n int) []string",
            "the first n matches, all when negative",
            c -> strings(regex(c).findAllTexts(c.string(1), limit(c))))
        .also("mustRegexFindAll")
        .add(
            "regexReplaceAll",
            "(regex string, s string, replacement string) string",
            "every match replaced; $1 stands for a group",
            c -> fitting(c, regex(c).replaceAll(c.string(1), c.string(2))))
        .also("mustRegexReplaceAll")
        .add(
            "regexReplaceAllLiteral",
            "(regex string, s string, replacement string) string",
            "every match replaced by the text as it is",
            c -> fitting(c, regex(c).replaceAllLiteral(c.string(1), c.string(2))))
        .also("mustRegexReplaceAllLiteral")
        .add(
            "regexSplit",
            "(regex string, s string, n int) []string",
            "at most n parts between the matches, all when negative",
            c -> strings(regex(c).split(c.string(1), limit(c))))
        .also("mustRegexSplit")
        .add(
            "regexQuoteMeta",
            "(s string) string",
            "a pattern that matches just this text",
            RegexFunctions::quoted)
        .all();
  }

  private static boolean matches(Call call) {
    try {
      return compiled(call).foundIn(call.string(1));
    } catch (RegexSyntaxException e) {
      return false;
    }
  }

  private static Regex regex(Call call) {
    try {
      return compiled(call);
    } catch (RegexSyntaxException e) {
      throw call.fail(String.valueOf(e.getMessage()));
    }
  }

  private static Regex compiled(Call call) {
    String pattern = call.string(0);
    Regex regex = KEPT.get(pattern);
    if (regex == null) {
      call.charge(pattern.length() + (long) pattern.length() * pattern.length() / 256);
      regex = Regex.compile(pattern);
      call.charge(regex.size() >> 4);
      keep(pattern, regex);
    }
    return regex.metered(steps -> spend(call, steps));
  }

  private static void keep(String pattern, Regex regex) {
    if (pattern.length() <= MAX_KEPT_LENGTH && regex.size() <= 10 * MAX_KEPT_LENGTH) {
      if (KEPT.size() >= MAX_KEPT) {
        KEPT.clear();
      }
      KEPT.put(pattern, regex);
    }
  }

  /** A step of the matching machine is much less work than a step of a template. */
  private static void spend(Call call, long steps) {
    call.charge((steps >> 4) + 1);
  }

  private static String fitting(Call call, String text) {
    call.room(text.length());
    return Text.rejoin(text);
  }

  private static int limit(Call call) {
    return Math.clamp(call.integer(2), -1, Integer.MAX_VALUE);
  }

  private static TypedList strings(List<String> found) {
    return found.isEmpty() ? NilList.STRINGS : TypedList.ofStrings(new ArrayList<>(found));
  }

  private static String quoted(Call call) {
    call.room(2L * call.string(0).length());
    return Regex.quoteMeta(call.string(0));
  }
}
