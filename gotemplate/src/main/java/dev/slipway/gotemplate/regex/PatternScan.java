package dev.slipway.gotemplate.regex;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a pattern once before RE2/J compiles it. RE2/J has no bound on nesting, on the product of
 * repetitions and on the size of the program, so that a short pattern could fill the heap or the
 * stack; Go has all three. What is wrong with the syntax is left to RE2/J.
 */
final class PatternScan {
  /** RE2/J needs time with the square of a literal's or a class's length. */
  private static final int MAX_LENGTH = 4_000;

  private static final int MAX_HEIGHT = 1000;
  private static final int MAX_REPEAT = 1000;

  /** Lower than Go's 3.3 million: no pattern may need a large part of the heap. */
  private static final long MAX_SIZE = 100_000;

  private static final Pattern REPEAT = Pattern.compile("\\{(\\d{1,8})(?:(,)(\\d{1,8})?)?}\\??");
  private static final Pattern NAMED_CLASS = Pattern.compile("\\[:\\^?\\w+:]");
  private static final Pattern ESCAPE =
      Pattern.compile("\\\\Q.*?(?:\\\\E|\\z)|\\\\[pPx]\\{[^}]*}?|\\\\.?", Pattern.DOTALL);
  private static final Pattern OPENING =
      Pattern.compile("\\((?:\\?P?<\\w*>|\\?[a-zA-Z-]*(?<plain>[:)])|)");

  /**
   * A part of the pattern.
   *
   * @param size instructions, at most
   * @param height of its tree, at most
   * @param repeats the largest product of nested repetitions
   * @param groupsBefore the number of the last group that begins before it
   */
  private record Part(long size, int height, long repeats, int groupsBefore) {
    static Part empty(int groupsBefore) {
      return new Part(0, 0, 1, groupsBefore);
    }

    Part and(Part next) {
      return new Part(
          size + next.size,
          Math.max(height, next.height),
          Math.max(repeats, next.repeats),
          groupsBefore);
    }
  }

  private final String pattern;
  private final Deque<Part> open = new ArrayDeque<>();
  private final BitSet absent = new BitSet();
  private Part done = Part.empty(0);
  private Part last = done;
  private int groups;

  private PatternScan(String pattern) {
    this.pattern = pattern;
  }

  /** The groups that take part in no match, because they are repeated zero times. */
  static BitSet absentGroups(String pattern) {
    PatternScan scan = new PatternScan(pattern);
    scan.read();
    return scan.absent;
  }

  private void read() {
    int at = 0;
    while (at < pattern.length()) {
      at = element(at);
      if (pattern.length() > MAX_LENGTH || done.size + last.size > MAX_SIZE) {
        throw new RegexSyntaxException("expression too large", pattern);
      }
      if (last.height > MAX_HEIGHT || open.size() > MAX_HEIGHT) {
        throw new RegexSyntaxException("expression nests too deeply", pattern);
      }
    }
  }

  /** Reads what begins here; returns where it ends. */
  private int element(int at) {
    return switch (pattern.charAt(at)) {
      case '(' -> open(at);
      case ')' -> close(at);
      case '[' -> atom(at, classEnd(at));
      case '\\' -> escape(at, end(ESCAPE, at));
      case '{' -> repeat(at);
      case '*', '+', '?' -> {
        last = new Part(last.size + 1, last.height + 1, last.repeats, last.groupsBefore);
        yield at + 1;
      }
      default -> atom(at, at + Character.charCount(pattern.codePointAt(at)));
    };
  }

  private int end(Pattern token, int at) {
    Matcher matcher = token.matcher(pattern).region(at, pattern.length());
    return matcher.lookingAt() ? matcher.end() : at + 1;
  }

  private int classEnd(int start) {
    int at = start + 1;
    at += pattern.startsWith("^", at) ? 1 : 0;
    at += pattern.startsWith("]", at) ? 1 : 0;
    while (at < pattern.length() && pattern.charAt(at) != ']') {
      at = pattern.charAt(at) == '\\' ? at + 2 : end(NAMED_CLASS, at);
    }
    return at + 1;
  }

  private int atom(int at, int end) {
    done = done.and(last);
    last = new Part(pattern.startsWith("\\Q", at) ? end - at : 1, 1, 1, groups);
    return end;
  }

  /** RE2/J takes any character behind a backslash for itself, Go only punctuation. */
  private int escape(int at, int end) {
    if (end == at + 2 && pattern.charAt(at + 1) >= 0x80) {
      String part = pattern.substring(at, pattern.offsetByCodePoints(at, 2));
      throw new RegexSyntaxException("invalid escape sequence", part);
    }
    return atom(at, end);
  }

  private int open(int at) {
    Matcher opening = OPENING.matcher(pattern).region(at, pattern.length());
    if (opening.lookingAt() && ")".equals(opening.group("plain"))) {
      return opening.end();
    }
    open.push(done.and(last));
    done = Part.empty(groups);
    last = done;
    groups += opening.group("plain") == null ? 1 : 0;
    return opening.end();
  }

  private int close(int at) {
    if (!open.isEmpty()) {
      Part all = done.and(last);
      int height = all.height + (done.size == 0 ? 1 : 3);
      done = open.pop();
      last = new Part(all.size + 2, height, all.repeats, all.groupsBefore);
    }
    return at + 1;
  }

  private int repeat(int at) {
    Matcher bounds = REPEAT.matcher(pattern).region(at, pattern.length());
    if (!bounds.lookingAt()) {
      return atom(at, at + 1);
    }
    int least = Integer.parseInt(bounds.group(1));
    boolean unbounded = bounds.group(2) != null && bounds.group(3) == null;
    int most = bounds.group(3) == null ? least : Integer.parseInt(bounds.group(3));
    if (most == 0) {
      absent.set(last.groupsBefore + 1, groups + 1);
    }
    long repeats = most == 0 ? 1 : last.repeats * most;
    if (most > 1 && most <= MAX_REPEAT && repeats > MAX_REPEAT) {
      throw new RegexSyntaxException("invalid repeat count", bounds.group());
    }
    long copies = Math.max(1, unbounded ? most + 1 : most);
    last = new Part((last.size + 1) * copies, last.height + 1, repeats, last.groupsBefore);
    return bounds.end();
  }
}
