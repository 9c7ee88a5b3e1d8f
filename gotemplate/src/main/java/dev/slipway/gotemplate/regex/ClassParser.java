package dev.slipway.gotemplate.regex;

import dev.slipway.gotemplate.regex.RegexSyntaxException.Reason;
import java.util.Optional;

/** Reads sets of characters: {@code [a-z]}, {@code \d}, {@code \p{Greek}}. */
final class ClassParser {
  private final Scanner in;
  private final Escape escape;

  ClassParser(Scanner in) {
    this.in = in;
    this.escape = new Escape(in);
  }

  /** The bracketed set that starts at this place. */
  CharSet bracketed(Case folding) {
    int start = in.at++;
    boolean negated = in.skip("^");
    CharSet.Builder set = new CharSet.Builder();
    boolean first = true;
    while (in.done() || in.peek(0) != ']' || first) {
      first = false;
      Optional<CharSet> named = posix(folding).or(() -> escaped(folding));
      if (named.isPresent()) {
        set.add(named.get());
      } else {
        range(start, set);
      }
    }
    in.at++;
    // Folding the whole is the same as folding each range, and much cheaper.
    CharSet built = folding.of(set.build());
    return negated ? built.negated() : built;
  }

  private void range(int classStart, CharSet.Builder set) {
    int start = in.at;
    int from = member(classStart);
    int to = from;
    if (in.peek(0) == '-' && in.at + 1 < in.pattern.length() && in.peek(1) != ']') {
      in.at++;
      to = member(classStart);
      if (to < from) {
        throw in.error(Reason.INVALID_CHARACTER_RANGE, start);
      }
    }
    set.add(from, to);
  }

  private int member(int classStart) {
    if (in.done()) {
      throw new RegexSyntaxException(Reason.MISSING_BRACKET, in.rest(classStart));
    }
    return in.peek(0) == '\\' ? escape.character() : in.next();
  }

  private Optional<CharSet> posix(Case folding) {
    int end = in.startsWith("[:") ? in.pattern.indexOf(":]", in.at + 2) : -1;
    if (end < 0) {
      return Optional.empty();
    }
    int start = in.at;
    String name = in.pattern.substring(start + 2, end);
    in.at = end + 2;
    return Optional.of(
        NamedSets.posix(name, folding)
            .orElseThrow(() -> in.error(Reason.INVALID_CHARACTER_RANGE, start)));
  }

  /** The set that the escape at this place stands for, if it stands for a set. */
  Optional<CharSet> escaped(Case folding) {
    if (in.peek(0) != '\\') {
      return Optional.empty();
    }
    if (in.peek(1) == 'p' || in.peek(1) == 'P') {
      return Optional.of(unicode(folding));
    }
    Optional<CharSet> perl = NamedSets.perl(in.peek(1), folding);
    in.at += perl.isPresent() ? 2 : 0;
    return perl;
  }

  private CharSet unicode(Case folding) {
    int start = in.at;
    boolean negated = in.peek(1) == 'P';
    in.at += 2;
    String name = unicodeName(start);
    if (name.startsWith("^")) {
      negated = !negated;
      name = name.substring(1);
    }
    CharSet set =
        NamedSets.unicode(name, folding)
            .orElseThrow(() -> in.error(Reason.INVALID_CHARACTER_RANGE, start));
    return negated ? set.negated() : set;
  }

  private String unicodeName(int start) {
    if (in.done()) {
      throw in.error(Reason.INVALID_CHARACTER_RANGE, start);
    }
    if (in.peek(0) != '{') {
      int nameStart = in.at;
      in.next();
      return in.since(nameStart);
    }
    int end = in.pattern.indexOf('}', in.at);
    if (end < 0) {
      throw new RegexSyntaxException(Reason.INVALID_CHARACTER_RANGE, in.rest(start));
    }
    String name = in.pattern.substring(in.at + 1, end);
    in.at = end + 1;
    return name;
  }
}
