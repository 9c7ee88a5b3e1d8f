package dev.slipway.engine.workflow;

import dev.slipway.engine.value.Json;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds JSON objects between other lines of output. */
final class JsonObjects {
  /** Lines that begin like an object and are none must not make the search quadratic. */
  private static final int MOST_LOOKS = 32 << 20;

  private JsonObjects() {}

  /** The last object that starts at the beginning of a line and is not part of another. */
  static Optional<Map<String, Object>> lastIn(String text) {
    Optional<Map<String, Object>> last = Optional.empty();
    int looks = 0;
    int at = 0;
    while (at < text.length() && looks < MOST_LOOKS) {
      int start = afterBlanks(text, at);
      int end = start < text.length() && text.charAt(start) == '{' ? end(text, start) : -1;
      looks += start < text.length() && text.charAt(start) == '{' ? length(text, start, end) : 0;
      Optional<Map<String, Object>> object =
          end < 0 ? Optional.empty() : read(text.substring(start, end));
      last = object.isPresent() ? object : last;
      at = nextLine(text, object.isPresent() ? end : at);
    }
    return last;
  }

  /** The JSON value that the whole text is, else the last object in it. */
  static Optional<Object> valueOf(String text) {
    try {
      return Optional.ofNullable(Json.read(text));
    } catch (IllegalArgumentException e) {
      return lastIn(text).map(object -> object);
    }
  }

  private static int length(String text, int start, int end) {
    return (end < 0 ? text.length() : end) - start;
  }

  private static int afterBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }

  private static int nextLine(String text, int from) {
    int newline = text.indexOf('\n', from);
    return newline < 0 ? text.length() : newline + 1;
  }

  /** The index behind the brace that closes this one; -1 when there is none. */
  private static int end(String text, int start) {
    int depth = 0;
    boolean quoted = false;
    for (int at = start; at < text.length(); at++) {
      char c = text.charAt(at);
      if (quoted) {
        at += c == '\\' ? 1 : 0;
        quoted = c != '"';
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return at + 1;
      }
    }
    return -1;
  }

  private static Optional<Map<String, Object>> read(@Nullable String json) {
    try {
      return Optional.of(Json.readMap(String.valueOf(json)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
