package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellCursor.NotUnderstood;
import java.util.ArrayList;
import java.util.List;

/** The here-documents of a script: begun on one line, their bodies behind its end. */
final class ShellDocuments {
  /** Whether tabs at the beginning of its lines count: {@code <<} or {@code <<-}. */
  enum Tabs {
    KEPT,
    STRIPPED
  }

  /**
   * A document whose delimiter is quoted, so that the shell takes its text as it is. Offsets are
   * those of the delimiter behind {@code <<}, of the body, and of the end of the closing line.
   */
  record Verbatim(
      String delimiter, int wordStart, int wordEnd, int start, int end, int lineEnd, Tabs tabs) {}

  private record Begun(
      String delimiter,
      int wordStart,
      int wordEnd,
      boolean quoted,
      Tabs tabs,
      int level,
      ShellCommand command) {}

  private final ShellReader reader;
  private final List<Begun> begun = new ArrayList<>();
  final List<Verbatim> verbatim = new ArrayList<>();

  ShellDocuments(ShellReader reader) {
    this.reader = reader;
  }

  int waiting() {
    return begun.size();
  }

  void forget(int verbatims) {
    begun.clear();
    verbatim.subList(verbatims, verbatim.size()).clear();
  }

  /** Reads the word behind {@code <<}. */
  void begin(Tabs tabs, ShellCommand command) {
    reader.blanks();
    int start = reader.at;
    ShellWord delimiter = reader.word();
    for (int value : delimiter.values) {
      reader.misplaced.add(
          new ShellReader.Misplaced(
              value, "a value is the delimiter of a here-document", "Write a fixed word."));
    }
    if (delimiter.text() == null && delimiter.values.isEmpty()) {
      throw new NotUnderstood("the delimiter of a here-document is not a plain word");
    }
    boolean quoted = reader.string(start, reader.at).matches("(?s).*['\"\\\\].*");
    String word = delimiter.literal.toString();
    begun.add(new Begun(word, start, reader.at, quoted, tabs, reader.substitutions, command));
  }

  /** Reads the bodies, at the beginning of a line. */
  void bodies() {
    List<Begun> now = List.copyOf(begun);
    if (now.stream().anyMatch(document -> document.level() != reader.substitutions)) {
      throw new NotUnderstood("a line ends inside a substitution before its here-document");
    }
    begun.clear();
    now.forEach(this::body);
  }

  private void body(Begun document) {
    int start = reader.at;
    int end = start;
    boolean continued = false;
    while (end < reader.text.length()) {
      int newline = lineEnd(end);
      if (!continued && isDelimiter(document, end, newline)) {
        read(document, start, end, newline);
        reader.at = Math.min(reader.text.length(), newline + 1);
        return;
      }
      continued = !document.quoted() && endsWithBackslash(start, newline);
      end = newline + 1;
    }
    if (document.quoted()) {
      throw new NotUnderstood("a here-document is never closed");
    }
    read(document, start, reader.text.length(), reader.text.length());
  }

  private int lineEnd(int from) {
    int at = from;
    while (at < reader.text.length() && reader.text.codes()[at] != '\n') {
      at++;
    }
    return at;
  }

  private boolean endsWithBackslash(int start, int end) {
    int count = 0;
    while (end - count - 1 >= start && reader.text.codes()[end - count - 1] == '\\') {
      count++;
    }
    return count % 2 == 1;
  }

  private boolean isDelimiter(Begun document, int from, int to) {
    int start = from;
    while (document.tabs() == Tabs.STRIPPED && start < to && reader.text.codes()[start] == '\t') {
      start++;
    }
    for (int i = start; i < to; i++) {
      if (reader.text.codes()[i] < 0) {
        return false;
      }
    }
    return reader.string(start, to).equals(document.delimiter());
  }

  private void read(Begun document, int start, int end, int lineEnd) {
    reader.at = start;
    ShellWord input = document.command().input;
    if (document.quoted()) {
      verbatim.add(
          new Verbatim(
              document.delimiter(),
              document.wordStart(),
              document.wordEnd(),
              start,
              end,
              lineEnd,
              document.tabs()));
      reader.verbatim(input, end);
    } else {
      reader.unquoted(input, end);
    }
    if (reader.at > end) {
      throw new NotUnderstood("an expansion is never closed in a here-document");
    }
  }
}
