package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text into plain text, {@code {{ actions }}} and {@code ${placeholders}} without executing
 * anything; what a provider is checked with when it loads.
 */
final class TemplateScan {
  private static final Pattern SILENT =
      Pattern.compile(
          "(if|else|end|range|with|define|block|template|break|continue)\\b[\\s\\S]*"
              + "|\\$[A-Za-z0-9_]*\\s*(,\\s*\\$[A-Za-z0-9_]+\\s*)?:?=[\\s\\S]*|/\\*[\\s\\S]*|");

  private TemplateScan() {}

  /** A stretch of the text; offsets count its characters. */
  sealed interface Part {
    int start();

    /** Text that stays. */
    record Plain(String text, int start) implements Part {}

    /** {@code {{ ... }}}; a silent one (if, end, $x := ...) emits nothing itself. */
    record Action(String inside, int start, Voice voice) implements Part {}

    /** What stands between {@code ${} and {@code }}. */
    record Hole(String inside, int start) implements Part {}
  }

  /** Whether an action emits a value. */
  enum Voice {
    EMITS,
    SILENT
  }

  /** Which {@code ${...}} are placeholders. */
  sealed interface Holes {
    /** All; {@code $${} writes {@code ${}. */
    record All() implements Holes {}

    /** Those that begin with a known root or a step's name; the rest is the shell's. */
    record InScript(Set<String> steps) implements Holes {}
  }

  /** Whether a template stands anywhere in a tree of values. */
  static boolean anyTemplate(@Nullable Object value) {
    return switch (value) {
      case String text -> hasTemplate(text);
      case Map<?, ?> map -> map.values().stream().anyMatch(TemplateScan::anyTemplate);
      case List<?> list -> list.stream().anyMatch(TemplateScan::anyTemplate);
      case null, default -> false;
    };
  }

  static boolean hasTemplate(String text) {
    return text.contains("{{") || text.contains("${");
  }

  static List<Part> parts(String text, Holes holes) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", from)) {
      int end = endOfAction(text, open);
      if (end < 0) {
        break;
      }
      addPlain(text, from, open, holes, parts);
      String inside = trimmed(text.substring(open + 2, end - 2));
      Voice voice = SILENT.matcher(inside).matches() ? Voice.SILENT : Voice.EMITS;
      parts.add(new Part.Action(inside, open, voice));
      from = end;
    }
    addPlain(text, from, text.length(), holes, parts);
    return parts;
  }

  private static void addPlain(String text, int from, int to, Holes holes, List<Part> parts) {
    for (Part part : holes(text.substring(from, to), holes)) {
      parts.add(
          switch (part) {
            case Part.Plain plain -> new Part.Plain(plain.text(), plain.start() + from);
            case Part.Hole hole -> new Part.Hole(hole.inside(), hole.start() + from);
            case Part.Action action -> action;
          });
    }
  }

  /** Cuts a text without actions. */
  static List<Part> holes(String text, Holes holes) {
    List<Part> parts = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    int plainStart = 0;
    int at = 0;
    while (at < text.length()) {
      int end = text.startsWith("${", at) ? text.indexOf('}', at) : -1;
      if (holes instanceof Holes.All && text.startsWith("$${", at)) {
        plain.append("${");
        at += 3;
      } else if (end > 0 && ours(text.substring(at + 2, end), holes)) {
        flush(plain, plainStart, parts);
        parts.add(new Part.Hole(text.substring(at + 2, end), at));
        at = end + 1;
        plainStart = at;
      } else {
        plain.append(text.charAt(at++));
      }
    }
    flush(plain, plainStart, parts);
    return parts;
  }

  private static void flush(StringBuilder plain, int start, List<Part> parts) {
    if (!plain.isEmpty()) {
      parts.add(new Part.Plain(plain.toString(), start));
      plain.setLength(0);
    }
  }

  private static boolean ours(String inside, Holes holes) {
    return switch (holes) {
      case Holes.All() -> true;
      case Holes.InScript(Set<String> steps) -> Placeholder.oursInScript(inside, steps);
    };
  }

  private static String trimmed(String inside) {
    String text = inside;
    text = text.startsWith("- ") || text.startsWith("-\n") ? text.substring(1) : text;
    text =
        text.endsWith(" -") || text.endsWith("\n-") ? text.substring(0, text.length() - 1) : text;
    return text.strip();
  }

  /** The index behind the closing braces of the action that starts here; -1 when there are none. */
  static int endOfAction(String text, int start) {
    int comment = text.startsWith("{{/*", start) ? start + 4 : -1;
    comment = text.startsWith("{{- /*", start) ? start + 6 : comment;
    if (comment >= 0) {
      int close = text.indexOf("*/", comment);
      int end = close < 0 ? -1 : text.indexOf("}}", close);
      return end < 0 ? -1 : end + 2;
    }
    int at = start + 2;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (text.startsWith("}}", at)) {
        return at + 2;
      }
      at = c == '"' || c == '`' || c == '\'' ? endOfQuote(text, at, c) : at + 1;
    }
    return -1;
  }

  private static int endOfQuote(String text, int start, char quote) {
    int at = start + 1;
    while (at < text.length() && text.charAt(at) != quote) {
      at += text.charAt(at) == '\\' && quote != '`' ? 2 : 1;
    }
    return at + 1;
  }
}
