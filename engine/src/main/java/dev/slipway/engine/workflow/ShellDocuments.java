package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellCursor.StateUnknown;
import dev.slipway.engine.workflow.ShellWords.Quotes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The here-documents of a script: begun on one line, their bodies behind its end. */
final class ShellDocuments {
  private enum Delimiter {
    PLAIN,
    QUOTED
  }

  /** Whether the shell strips tabs at the beginning of the lines: {@code <<-}. */
  private enum Tabs {
    KEPT,
    STRIPPED
  }

  /**
   * A document whose delimiter is quoted, so that the shell takes its text as it is. Offsets are
   * those of the delimiter behind {@code <<}, of the body, and of the end of the closing line.
   */
  record Verbatim(int wordStart, int wordEnd, int start, int end, int lineEnd) {}

  private record Begun(
      String word,
      int wordStart,
      int wordEnd,
      Delimiter delimiter,
      Tabs tabs,
      int level,
      List<String> words) {}

  private static final Pattern WORD =
      Pattern.compile(
          "(?:'([^'\\n\\x00]+)'|\"([^\"\\n\\x00$`\\\\]+)\"|\\\\([\\w.-]+)|([\\w.-]+))"
              + "(?=[ \\t;&|<>()]|\\z)");

  private final ShellWords scanner;
  private final List<Begun> begun = new ArrayList<>();
  final List<Verbatim> verbatim = new ArrayList<>();
  private boolean inBody;

  ShellDocuments(ShellWords scanner) {
    this.scanner = scanner;
  }

  boolean pending() {
    return !begun.isEmpty();
  }

  /** Reads {@code <<} and the delimiter behind it. */
  void begin(List<String> words) {
    int start = scanner.at;
    scanner.at += 2;
    Tabs tabs = scanner.take("-") ? Tabs.STRIPPED : Tabs.KEPT;
    while (scanner.peek() == ' ' || scanner.peek() == '\t') {
      scanner.at++;
    }
    int wordStart = scanner.at;
    String rest = scanner.string(wordStart, lineEnd(wordStart));
    Matcher word = WORD.matcher(rest);
    if (!word.lookingAt() || inBody) {
      throw new StateUnknown(
          start,
          inBody
              ? "a here-document inside another one"
              : "a here-document whose delimiter is not a plain word",
          "Write a delimiter such as EOF or 'EOF'.");
    }
    scanner.at += word.end();
    Delimiter delimiter = word.group(4) == null ? Delimiter.QUOTED : Delimiter.PLAIN;
    String text = word.group().replaceAll("^['\"\\\\]|['\"]$", "");
    begun.add(
        new Begun(text, wordStart, scanner.at, delimiter, tabs, scanner.level, List.copyOf(words)));
  }

  /** Reads the bodies, at the beginning of the line behind the one that began them. */
  void bodies() {
    if (begun.stream().anyMatch(document -> document.level() != scanner.level)) {
      throw interrupted();
    }
    List<Begun> now = List.copyOf(begun);
    begun.clear();
    now.forEach(this::body);
  }

  /** Refuses documents that began at a deeper level and have no body yet. */
  void closedBefore(int level) {
    if (begun.stream().anyMatch(document -> document.level() > level)) {
      throw interrupted();
    }
  }

  /** A line that ends inside quotes or a substitution before the body: shells disagree on it. */
  StateUnknown interrupted() {
    return new StateUnknown(
        begun.getFirst().wordStart(),
        "a here-document whose first line goes on over several lines",
        "Close quotes and substitutions on the line on which the here-document begins.");
  }

  private void body(Begun document) {
    int start = scanner.at;
    int logical = start;
    for (int line = start; line < scanner.limit; ) {
      int end = lineEnd(line);
      if (isDelimiter(document, logical, end)) {
        if (logical < line) {
          throw unclosed(start);
        }
        read(document, start, line, end);
        return;
      }
      boolean continued =
          document.delimiter() == Delimiter.PLAIN && endsWithBackslash(logical, end);
      line = end + 1;
      logical = continued ? logical : line;
    }
    throw unclosed(start);
  }

  private static StateUnknown unclosed(int start) {
    return new StateUnknown(
        start, "a here-document that is never closed", "Write its delimiter on a line of its own.");
  }

  private int lineEnd(int from) {
    int end = from;
    while (end < scanner.limit && scanner.text.codes()[end] != '\n') {
      end++;
    }
    return end;
  }

  private boolean endsWithBackslash(int start, int end) {
    int count = 0;
    while (end - count - 1 >= start && scanner.text.codes()[end - count - 1] == '\\') {
      count++;
    }
    return count % 2 == 1;
  }

  private boolean isDelimiter(Begun document, int from, int to) {
    String line = scanner.string(from, to);
    if (document.tabs() == Tabs.STRIPPED) {
      line = line.replaceAll("^\t+", "");
    }
    if (document.delimiter() == Delimiter.PLAIN) {
      line = line.replace("\\\n", "");
    }
    return line.equals(document.word());
  }

  private void read(Begun document, int start, int end, int lineEnd) {
    if (document.delimiter() == Delimiter.QUOTED) {
      verbatim.add(new Verbatim(document.wordStart(), document.wordEnd(), start, end, lineEnd));
      for (; scanner.at < end; scanner.at++) {
        scanner.place(ShellPlace.VERBATIM);
      }
    } else {
      int outer = scanner.limit;
      scanner.limit = end;
      inBody = true;
      while (scanner.at < end) {
        scanner.character(Quotes.DOUBLE);
      }
      inBody = false;
      scanner.limit = outer;
    }
    scanner.note(start, end, document.words(), "<<");
    scanner.at = Math.min(scanner.limit, lineEnd + 1);
  }
}
