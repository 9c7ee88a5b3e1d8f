package dev.slipway.gotemplate.regex;

import java.util.ArrayList;
import java.util.List;

/**
 * A text to put in place of a match, in which {@code $1}, {@code $name} and {@code ${name}} stand
 * for groups.
 */
final class Replacement {
  /** Either text to copy or a reference to a group: by name, or by number when that is not -1. */
  private record Piece(String text, boolean reference, int number) {}

  private final List<Piece> pieces = new ArrayList<>();
  private final List<String> names;

  private Replacement(List<String> names) {
    this.names = names;
  }

  static Replacement literal(String text) {
    Replacement replacement = new Replacement(List.of());
    replacement.pieces.add(new Piece(text, false, -1));
    return replacement;
  }

  static Replacement template(String template, List<String> names) {
    Replacement replacement = new Replacement(names);
    int at = 0;
    for (int dollar = template.indexOf('$'); dollar >= 0; dollar = template.indexOf('$', at)) {
      replacement.copy(template.substring(at, dollar));
      at = replacement.reference(template, dollar + 1);
    }
    replacement.copy(template.substring(at));
    return replacement;
  }

  /** Whether it only copies text, so that groups need not be found. */
  boolean isLiteral() {
    return pieces.stream().noneMatch(Piece::reference);
  }

  private void copy(String text) {
    pieces.add(new Piece(text, false, -1));
  }

  /** Reads what follows a dollar sign; answers where it ends. */
  private int reference(String template, int start) {
    if (template.startsWith("$", start)) {
      copy("$");
      return start + 1;
    }
    boolean braced = template.startsWith("{", start);
    int from = braced ? start + 1 : start;
    int to = from;
    while (to < template.length() && isNameCharacter(template.codePointAt(to))) {
      to += Character.charCount(template.codePointAt(to));
    }
    if (to == from || braced && !template.startsWith("}", to)) {
      copy("$");
      return start;
    }
    String name = template.substring(from, to);
    pieces.add(new Piece(name, true, number(name)));
    return braced ? to + 1 : to;
  }

  private static boolean isNameCharacter(int c) {
    return c == '_' || Character.isLetter(c) || Character.isDigit(c);
  }

  private static int number(String name) {
    boolean digits = name.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean padded = name.length() > 1 && name.startsWith("0");
    return digits && !padded && name.length() < 10 ? Integer.parseInt(name) : -1;
  }

  void appendTo(StringBuilder out, Match match) {
    for (Piece piece : pieces) {
      if (!piece.reference) {
        out.append(piece.text);
      } else if (piece.number >= 0) {
        out.append(match.group(piece.number));
      } else {
        out.append(named(piece.text, match));
      }
    }
  }

  private String named(String name, Match match) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(name) && match.has(i)) {
        return match.group(i);
      }
    }
    return "";
  }
}
