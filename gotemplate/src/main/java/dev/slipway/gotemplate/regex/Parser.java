package dev.slipway.gotemplate.regex;

import dev.slipway.gotemplate.regex.Node.Greed;
import dev.slipway.gotemplate.regex.RegexSyntaxException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Reads a pattern into a tree. Open groups stand on a stack of their own, not on Java's, so that
 * depth costs no stack and mistakes are found in the order in which Go finds them.
 */
final class Parser {
  private static final int MAX_HEIGHT = 1000;
  private static final int MAX_REPEAT = 1000;

  /** Lower than Go's 3.3 million: no pattern may need a large part of the heap. */
  static final int MAX_SIZE = 100_000;

  /** The switches that {@code (?ismU)} sets. */
  private record Flags(boolean fold, boolean multiLine, boolean dotNewline, boolean ungreedy) {
    Case folding() {
      return fold ? Case.IGNORED : Case.DIFFERS;
    }

    Flags with(int letter, boolean value) {
      return switch (letter) {
        case 'i' -> new Flags(value, multiLine, dotNewline, ungreedy);
        case 'm' -> new Flags(fold, value, dotNewline, ungreedy);
        case 's' -> new Flags(fold, multiLine, value, ungreedy);
        default -> new Flags(fold, multiLine, dotNewline, value);
      };
    }
  }

  /** A group that is not closed yet; number 0 does not capture. */
  private static final class Open {
    final int number;
    final Flags outside;
    final List<Node> options = new ArrayList<>();
    List<Node> parts = new ArrayList<>();

    Open(int number, Flags outside) {
      this.number = number;
      this.outside = outside;
    }

    Node body() {
      options.add(Node.Sequence.of(parts));
      return Node.Choice.of(options);
    }
  }

  private final Scanner in;
  private final ClassParser classes;
  private final Escape escape;
  private final Deque<Open> groups = new ArrayDeque<>();
  private final List<String> names = new ArrayList<>(List.of(""));
  private Flags flags = new Flags(false, false, false, false);
  private long size;

  Parser(String pattern) {
    in = new Scanner(pattern);
    classes = new ClassParser(in);
    escape = new Escape(in);
    groups.push(new Open(0, flags));
  }

  /** The names of the groups; empty for a group without one, and for the whole at 0. */
  List<String> names() {
    return names;
  }

  Node parse() {
    if (in.pattern.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF)) {
      throw new RegexSyntaxException(Reason.INVALID_UTF8, in.pattern);
    }
    int lastRepeat = -1;
    while (!in.done()) {
      int start = in.at;
      lastRepeat = isRepeat() && repeat(lastRepeat) ? start : element();
    }
    if (groups.size() > 1) {
      throw new RegexSyntaxException(Reason.MISSING_PARENTHESIS, in.pattern);
    }
    return checked(groups.pop().body());
  }

  private boolean isRepeat() {
    return "*+?{".indexOf(in.peek(0)) >= 0;
  }

  /** Reads anything but a repetition. Answers -1: no repetition ends here. */
  private int element() {
    switch (in.peek(0)) {
      case '(' -> open();
      case ')' -> close();
      case '|' -> nextOption();
      case '[' -> add(new Node.One(classes.bracketed(flags.folding())));
      case '\\' -> escaped();
      case '^' -> place(flags.multiLine ? Place.LINE_START : Place.TEXT_START, 1);
      case '$' -> place(flags.multiLine ? Place.LINE_END : Place.TEXT_END, 1);
      case '.' -> {
        in.at++;
        add(new Node.One(flags.dotNewline ? CharSet.ANY : CharSet.ANY_BUT_NEWLINE));
      }
      default -> literal(in.next());
    }
    return -1;
  }

  private void add(Node node) {
    size += node.size();
    groups.peek().parts.add(checked(node));
    if (size > MAX_SIZE) {
      throw new RegexSyntaxException(Reason.TOO_LARGE, in.pattern);
    }
  }

  private Node checked(Node node) {
    if (node.height() > MAX_HEIGHT) {
      throw new RegexSyntaxException(Reason.TOO_DEEP, in.pattern);
    }
    if (node.size() > MAX_SIZE) {
      throw new RegexSyntaxException(Reason.TOO_LARGE, in.pattern);
    }
    return node;
  }

  private void literal(int codePoint) {
    add(new Node.One(flags.folding().of(codePoint)));
  }

  private void place(Place place, int length) {
    in.at += length;
    add(new Node.Assertion(place));
  }

  private void nextOption() {
    in.at++;
    Open group = groups.peek();
    group.options.add(Node.Sequence.of(group.parts));
    group.parts = new ArrayList<>();
  }

  private void close() {
    Open group = groups.pop();
    if (groups.isEmpty()) {
      throw new RegexSyntaxException(Reason.UNEXPECTED_PARENTHESIS, in.pattern);
    }
    in.at++;
    flags = group.outside;
    Node body = checked(group.body());
    size -= body.size();
    add(group.number == 0 ? body : new Node.Group(group.number, body));
  }

  private void open() {
    if (!in.startsWith("(?")) {
      in.at++;
      capture("");
    } else if (in.startsWith("(?P<") && in.at + 4 < in.pattern.length()) {
      named(4);
    } else if (in.startsWith("(?<") && in.at + 3 < in.pattern.length()) {
      named(3);
    } else {
      flagGroup();
    }
  }

  private void capture(String name) {
    groups.push(new Open(names.size(), flags));
    names.add(name);
  }

  private void named(int prefix) {
    int start = in.at;
    int end = in.pattern.indexOf('>', start);
    if (end < 0) {
      throw new RegexSyntaxException(Reason.INVALID_NAMED_CAPTURE, in.rest(start));
    }
    String name = in.pattern.substring(start + prefix, end);
    in.at = end + 1;
    if (name.isEmpty() || !name.chars().allMatch(Parser::isNameCharacter)) {
      throw in.error(Reason.INVALID_NAMED_CAPTURE, start);
    }
    capture(name);
  }

  private static boolean isNameCharacter(int c) {
    return c == '_' || c < 128 && Character.isLetterOrDigit(c);
  }

  private void flagGroup() {
    int start = in.at;
    in.at += 2;
    Flags changed = flags;
    boolean value = true;
    boolean seen = false;
    while (!in.done()) {
      int c = in.next();
      if ("imsU".indexOf(c) >= 0) {
        changed = changed.with(c, value);
        seen = true;
      } else if (c == '-' && value) {
        value = false;
        seen = false;
      } else if ((c == ':' || c == ')') && (value || seen)) {
        if (c == ':') {
          groups.push(new Open(0, flags));
        }
        flags = changed;
        return;
      } else {
        break;
      }
    }
    throw in.error(Reason.INVALID_PERL_SYNTAX, start);
  }

  private void escaped() {
    switch (in.peek(1)) {
      case 'A' -> place(Place.TEXT_START, 2);
      case 'z' -> place(Place.TEXT_END, 2);
      case 'b' -> place(Place.WORD_BOUNDARY, 2);
      case 'B' -> place(Place.NO_WORD_BOUNDARY, 2);
      case 'Q' -> quoted();
      default ->
          classes
              .escaped(flags.folding())
              .ifPresentOrElse(set -> add(new Node.One(set)), () -> literal(escape.character()));
    }
  }

  private void quoted() {
    in.at += 2;
    while (!in.done() && !in.skip("\\E")) {
      literal(in.next());
    }
  }

  /** Reads a repetition; false when the brace here is an ordinary character. */
  private boolean repeat(int lastRepeat) {
    int start = in.at;
    Optional<Bounds> read = Bounds.read(in);
    if (read.isEmpty()) {
      in.at = start;
      return false;
    }
    Bounds bounds = read.get();
    if (!bounds.fit(MAX_REPEAT)) {
      throw in.error(Reason.INVALID_REPEAT_COUNT, start);
    }
    boolean lazy = in.skip("?") != flags.ungreedy;
    if (lastRepeat >= 0) {
      throw in.error(Reason.INVALID_NESTED_REPETITION, lastRepeat);
    }
    List<Node> parts = groups.peek().parts;
    if (parts.isEmpty()) {
      throw in.error(Reason.MISSING_REPEAT_ARGUMENT, start);
    }
    Node body = parts.removeLast();
    Node.Repeat repeat =
        new Node.Repeat(body, bounds.least(), bounds.most(), lazy ? Greed.LESS : Greed.MORE);
    if (Math.max(bounds.least(), bounds.most()) > 1 && !isAllowed(repeat, MAX_REPEAT)) {
      throw in.error(Reason.INVALID_REPEAT_COUNT, start);
    }
    size -= body.size();
    add(repeat);
    return true;
  }

  /** Nested repetitions may not multiply to more than {@code copies} of the innermost thing. */
  private static boolean isAllowed(Node node, int copies) {
    return switch (node) {
      case Node.Repeat repeat -> {
        int times = repeat.most() < 0 ? repeat.least() : repeat.most();
        yield repeat.most() == 0
            || times <= copies && isAllowed(repeat.body(), times > 0 ? copies / times : copies);
      }
      case Node.Group group -> isAllowed(group.body(), copies);
      case Node.Sequence sequence -> areAllowed(sequence.parts(), copies);
      case Node.Choice choice -> areAllowed(choice.options(), copies);
      case Node.Empty _, Node.One _, Node.Assertion _ -> true;
    };
  }

  private static boolean areAllowed(List<Node> nodes, int copies) {
    for (Node node : nodes) {
      if (!isAllowed(node, copies)) {
        return false;
      }
    }
    return true;
  }
}
