package dev.slipway.gotemplate.regex;

import dev.slipway.gotemplate.regex.RegexSyntaxException.Reason;
import java.util.ArrayList;
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

  private final String pattern;
  private final Program program;
  private final List<String> names;
  private final Work work;

  private Regex(String pattern, Program program, List<String> names, Work work) {
    this.pattern = pattern;
    this.program = program;
    this.names = names;
    this.work = work;
  }

  /**
   * Compiles a pattern.
   *
   * @throws RegexSyntaxException with Go's message when it is not a pattern
   */
  public static Regex compile(String pattern) {
    Parser parser = new Parser(pattern);
    Node tree = parser.parse();
    List<String> names = List.copyOf(parser.names());
    Program program = Program.of(tree, names.size());
    if ((long) program.size() * 2 * names.size() > MAX_GROUP_SLOTS) {
      throw new RegexSyntaxException(Reason.TOO_LARGE, pattern);
    }
    return new Regex(pattern, program, names, Work.UNMETERED);
  }

  /** The text as a pattern that matches just it. */
  public static String quoteMeta(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 8);
    for (int i = 0; i < text.length(); i++) {
      if ("\\.+*?()|[]{}^$".indexOf(text.charAt(i)) >= 0) {
        quoted.append('\\');
      }
      quoted.append(text.charAt(i));
    }
    return quoted.toString();
  }

  /** This pattern, telling {@code meter} of the work that its searches do. */
  public Regex metered(Work meter) {
    return new Regex(pattern, program, names, meter);
  }

  public String pattern() {
    return pattern;
  }

  /** How many instructions the pattern compiled to. */
  public int size() {
    return program.size();
  }

  /** The names of the groups by number; empty for a group without one and for the whole at 0. */
  public List<String> groupNames() {
    return names;
  }

  /** Whether the pattern is found anywhere in the text. */
  public boolean foundIn(String text) {
    return machine(text).find(0, new int[0]);
  }

  /** The leftmost match with its groups. */
  public Optional<Match> find(String text) {
    return search(machine(text), text, 0, 2 * names.size());
  }

  /** The matches from left to right without overlap, at most {@code limit} or all when negative. */
  public List<Match> findAll(String text, int limit) {
    return findAll(text, limit, 2 * names.size());
  }

  private List<Match> findAll(String text, int limit, int slots) {
    List<Match> matches = new ArrayList<>();
    Machine machine = machine(text);
    int from = 0;
    int previousEnd = -1;
    while (from <= text.length() && (limit < 0 || matches.size() < limit)) {
      Optional<Match> found = search(machine, text, from, slots);
      if (found.isEmpty()) {
        break;
      }
      Match match = found.get();
      // An empty match right behind another one does not count.
      if (match.end() > from || match.start() != previousEnd) {
        matches.add(match);
      }
      from = match.end() > from ? match.end() : from + widthAt(text, from);
      previousEnd = match.end();
    }
    return matches;
  }

  /** The texts of the matches, without their groups. */
  public List<String> findAllTexts(String text, int limit) {
    return findAll(text, limit, 2).stream().map(Match::text).toList();
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
    Machine machine = machine(text);
    int slots = replacement.isLiteral() ? 2 : 2 * names.size();
    int copied = 0;
    int from = 0;
    while (from <= text.length()) {
      Optional<Match> found = search(machine, text, from, slots);
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
      from = Math.max(from + widthAt(text, from), match.end());
    }
    return out.append(text, copied, text.length()).toString();
  }

  /** The pieces between the matches: at most {@code limit}, all when negative, none when 0. */
  public List<String> split(String text, int limit) {
    if (limit == 0) {
      return List.of();
    }
    if (!pattern.isEmpty() && text.isEmpty()) {
      return List.of("");
    }
    List<String> pieces = new ArrayList<>();
    int from = 0;
    int to = 0;
    for (Match match : findAll(text, limit, 2)) {
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

  private Machine machine(String text) {
    return Backtracker.fits(program, text)
        ? new Backtracker(program, text, work)
        : new ParallelMachine(program, text, work);
  }

  private static Optional<Match> search(Machine machine, String text, int from, int slots) {
    int[] bounds = new int[slots];
    return machine.find(from, bounds) ? Optional.of(new Match(text, bounds)) : Optional.empty();
  }

  private static int widthAt(String text, int place) {
    return place < text.length() ? Character.charCount(text.codePointAt(place)) : 1;
  }

  @Override
  public String toString() {
    return pattern;
  }
}
