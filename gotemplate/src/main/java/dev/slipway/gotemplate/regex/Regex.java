package dev.slipway.gotemplate.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A compiled pattern in RE2 syntax. Immutable and thread-safe. A search takes time linear in the
 * length of the text times the size of the pattern, and repeated searches ({@link #findAll}) at
 * most that per match; {@link #metered} bounds the sum.
 */
public final class Regex {
  /** Bounds the memory that the groups of all parallel threads can take. */
  private static final long MAX_GROUP_SLOTS = 4_000_000;

  private final Pattern pattern;
  private final List<String> names;

  /** RE2/J puts these at 0 instead of leaving them out. */
  private final BitSet absent;

  private final Work work;

  private Regex(Pattern pattern, List<String> names, BitSet absent, Work work) {
    this.pattern = pattern;
    this.names = names;
    this.absent = absent;
    this.work = work;
  }

  /**
   * Compiles a pattern.
   *
   * @throws RegexSyntaxException with Go's message when it is not a pattern
   */
  public static Regex compile(String text) {
    BitSet absent = PatternScan.absentGroups(text);
    Pattern pattern = compiled(text);
    if ((long) pattern.programSize() * 2 * (pattern.groupCount() + 1) > MAX_GROUP_SLOTS) {
      throw new RegexSyntaxException("expression too large", text);
    }
    return new Regex(pattern, names(pattern), absent, Work.UNMETERED);
  }

  private static Pattern compiled(String text) {
    if (text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF)) {
      throw new RegexSyntaxException("invalid UTF-8", text);
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw "stack underflow".equals(e.getPattern())
          ? new RegexSyntaxException("unexpected )", text)
          : new RegexSyntaxException(e.getDescription(), e.getPattern());
    }
  }

  private static List<String> names(Pattern pattern) {
    String[] names = new String[pattern.groupCount() + 1];
    Arrays.fill(names, "");
    pattern.namedGroups().forEach((name, group) -> names[group] = name);
    return List.of(names);
  }

  /** The text as a pattern that matches just it. */
  public static String quoteMeta(String text) {
    return Pattern.quote(text);
  }

  /** This pattern, reporting to {@code meter} the work that its searches do. */
  public Regex metered(Work meter) {
    return new Regex(pattern, names, absent, meter);
  }

  /** How many instructions the pattern compiled to. */
  public int size() {
    return pattern.programSize();
  }

  /** The names of the groups by number; empty for a group without one and for the whole at 0. */
  List<String> groupNames() {
    return names;
  }

  /** Whether the pattern is found anywhere in the text. */
  public boolean foundIn(String text) {
    return search(text).found(0);
  }

  /** The leftmost match with its groups. */
  public Optional<Match> find(String text) {
    return search(text).find(0, pattern.groupCount());
  }

  /** The matches from left to right without overlap, at most {@code limit} or all when negative. */
  List<Match> findAll(String text, int limit) {
    return findAll(text, limit, pattern.groupCount());
  }

  private List<Match> findAll(String text, int limit, int groups) {
    List<Match> matches = new ArrayList<>();
    Search search = search(text);
    int from = 0;
    int previousEnd = -1;
    while (from <= text.length() && (limit < 0 || matches.size() < limit)) {
      Optional<Match> found = search.find(from, groups);
      if (found.isEmpty()) {
        break;
      }
      Match match = found.get();
      // An empty match right behind another one does not count.
      if (match.end() > from || match.start() != previousEnd) {
        matches.add(match);
      }
      from = match.end() > from ? match.end() : search.after(from);
      previousEnd = match.end();
    }
    return matches;
  }

  /** The texts of the matches, without their groups. */
  public List<String> findAllTexts(String text, int limit) {
    return findAll(text, limit, 0).stream().map(Match::text).toList();
  }

  /** Puts the template in place of every match; {@code $1} and {@code ${name}} stand for groups. */
  public String replaceAll(String text, String template) {
    return replace(text, Replacement.template(template, names));
  }

  /** Puts the replacement in place of every match as it is. */
  public String replaceAllLiteral(String text, String replacement) {
    return replace(text, Replacement.literal(replacement));
  }

  private String replace(String text, Replacement replacement) {
    StringBuilder out = new StringBuilder();
    Search search = search(text);
    int groups = replacement.isLiteral() ? 0 : pattern.groupCount();
    int copied = 0;
    int from = 0;
    while (from <= text.length()) {
      Optional<Match> found = search.find(from, groups);
      if (found.isEmpty()) {
        break;
      }
      Match match = found.get();
      int length = out.length();
      out.append(text, copied, match.start());
      if (match.end() > copied || match.start() == 0) {
        replacement.appendTo(out, match);
      }
      work.spend(out.length() - length);
      copied = match.end();
      from = Math.max(search.after(from), match.end());
    }
    return out.append(text, copied, text.length()).toString();
  }

  /** The pieces between the matches: at most {@code limit}, all when negative, none when 0. */
  public List<String> split(String text, int limit) {
    if (limit == 0) {
      return List.of();
    }
    if (!pattern.pattern().isEmpty() && text.isEmpty()) {
      return List.of("");
    }
    List<String> pieces = new ArrayList<>();
    int from = 0;
    int to = 0;
    for (Match match : findAll(text, limit, 0)) {
      if (limit > 0 && pieces.size() == limit - 1) {
        break;
      }
      to = match.start();
      if (match.end() != 0) {
        pieces.add(text.substring(from, to));
      }
      from = match.end();
    }
    if (to != text.length()) {
      pieces.add(text.substring(from));
    }
    return pieces;
  }

  private Search search(String text) {
    return new Search(pattern, absent, new MeteredText(text, pattern.programSize(), work));
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }
}
