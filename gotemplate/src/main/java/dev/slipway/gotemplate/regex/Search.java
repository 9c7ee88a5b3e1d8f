package dev.slipway.gotemplate.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.BitSet;
import java.util.Optional;

/** One pattern in one text. The work of each search is reported. */
final class Search {
  private final MeteredText text;
  private final BitSet absent;
  private final Matcher matcher;

  Search(Pattern pattern, BitSet absentGroups, MeteredText text) {
    this.text = text;
    this.absent = absentGroups;
    this.matcher = pattern.matcher(text);
  }

  /** Whether the pattern is found at {@code from} or later. */
  boolean found(int from) {
    boolean found = matcher.find(from);
    text.report();
    return found;
  }

  /** The leftmost match at {@code from} or later, with the groups up to this number. */
  Optional<Match> find(int from, int groups) {
    if (!found(from)) {
      return Optional.empty();
    }
    int[] bounds = new int[2 * groups + 2];
    for (int group = 0; group <= groups; group++) {
      bounds[2 * group] = absent.get(group) ? -1 : matcher.start(group);
      bounds[2 * group + 1] = absent.get(group) ? -1 : matcher.end(group);
    }
    text.report();
    return Optional.of(new Match(text.toString(), bounds));
  }

  /** The place behind the character at {@code place}. */
  int after(int place) {
    return place
        + (place < text.length() ? Character.charCount(Character.codePointAt(text, place)) : 1);
  }
}
