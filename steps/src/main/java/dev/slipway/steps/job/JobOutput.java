package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.execute.StepLog.Stream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a pod has said so far. It can be read again from its beginning: each frame counts once, and
 * lines that an earlier server has stored are not logged again.
 */
final class JobOutput {
  private static final int LONGEST_LINE = 64 * 1024;
  private static final int TAIL = 1024 * 1024;
  private static final int MOST_STRANGE_LINES = 20;

  private final StepLog log;
  private final StepLog listener;
  private final Map<Stream, StringBuilder> parts = new EnumMap<>(Stream.class);
  private final StringBuilder tail = new StringBuilder();
  private final StringBuilder hex = new StringBuilder();
  private long stored;
  private long last;
  private long bytes;
  private int strange;
  private String lastErrorLine = "";
  private Optional<Integer> code = Optional.empty();
  private Optional<Integer> size = Optional.empty();
  private Optional<String> unreadable = Optional.empty();

  /** {@code stored} lines are in the step's log already; the listener gets these, too. */
  JobOutput(StepLog log, long stored, StepLog listener) {
    this.log = log;
    this.listener = listener;
    this.stored = stored;
    parts.put(Stream.STDOUT, new StringBuilder());
    parts.put(Stream.STDERR, new StringBuilder());
  }

  /** Takes one line of the pod's log. */
  void take(String line) {
    Frame.parse(line).ifPresentOrElse(this::take, () -> strange(line));
  }

  private void strange(String line) {
    if (!line.isBlank() && strange < MOST_STRANGE_LINES) {
      strange++;
      log.line(Stream.NOTE, "the pod says: " + line);
    }
  }

  private void take(Frame frame) {
    if (frame.number() <= last) {
      return;
    }
    long lost = frame.number() - last - 1;
    last = frame.number();
    String text = frame.text();
    switch (frame.kind()) {
      case STDOUT -> ended(Stream.STDOUT, text, lost);
      case STDERR -> ended(Stream.STDERR, text, lost);
      case STDOUT_PART -> part(Stream.STDOUT, text, lost);
      case STDERR_PART -> part(Stream.STDERR, text, lost);
      case RESULT -> hex.append(text);
      case RESULT_SIZE -> size = Optional.of(Integer.parseInt(text));
      case UNREADABLE -> unreadable = Optional.of(text);
      case EXIT -> exit(Integer.parseInt(text));
    }
  }

  private void missing(long lost) {
    if (lost > 0) {
      log.line(Stream.NOTE, lost + " lines are lost: the node has rotated the pod's log");
    }
  }

  private void part(Stream stream, String text, long lost) {
    missing(lost);
    bytes += text.length();
    StringBuilder part = part(stream).append(text);
    while (part.length() >= LONGEST_LINE) {
      emit(stream, part.substring(0, LONGEST_LINE));
      part.delete(0, LONGEST_LINE);
    }
  }

  private void ended(Stream stream, String text, long lost) {
    part(stream, text, lost);
    bytes++;
    String line = part(stream).toString();
    part(stream).setLength(0);
    emit(stream, line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
  }

  private StringBuilder part(Stream stream) {
    return parts.computeIfAbsent(stream, _ -> new StringBuilder());
  }

  private void emit(Stream stream, String line) {
    listener.line(stream, line);
    if (stored > 0) {
      stored--;
    } else {
      log.line(stream, line);
    }
    if (stream == Stream.STDERR) {
      lastErrorLine = line.isBlank() ? lastErrorLine : line;
      return;
    }
    tail.append(line).append('\n');
    if (tail.length() > 2 * TAIL) {
      tail.delete(0, tail.length() - TAIL);
    }
  }

  private void exit(int exitCode) {
    parts.forEach(
        (stream, part) -> {
          if (!part.isEmpty()) {
            emit(stream, part.toString());
            part.setLength(0);
          }
        });
    code = Optional.of(exitCode);
  }

  /** How the program ended; empty before it did. */
  Optional<Integer> code() {
    return code;
  }

  /** How much it has printed. */
  long bytes() {
    return bytes;
  }

  String stdout() {
    return tail.length() > TAIL ? tail.substring(tail.length() - TAIL) : tail.toString();
  }

  String lastErrorLine() {
    return lastErrorLine;
  }

  /** Why there is a result file and it cannot be used. */
  Optional<String> unreadable() {
    boolean torn = size.map(n -> n * 2 != hex.length()).orElse(!hex.isEmpty());
    return unreadable.or(
        () -> torn ? Optional.of("did not arrive: has the image awk and od?") : Optional.empty());
  }

  /** The hidden result file; empty without one. */
  Optional<String> hidden() {
    return size.map(_ -> hex.toString());
  }
}
