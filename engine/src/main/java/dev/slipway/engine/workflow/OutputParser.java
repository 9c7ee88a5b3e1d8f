package dev.slipway.engine.workflow;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.Step.Capture;
import dev.slipway.gotemplate.regex.Match;
import dev.slipway.gotemplate.regex.Regex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a step's outputs are, from what it produced. Later sources win: marked lines on standard
 * output, the last JSON object there, the output file, captures.
 */
public final class OutputParser {
  private static final Pattern MARKED =
      Pattern.compile(
          "OUTPUT_([A-Za-z_][A-Za-z0-9_-]*)=(.*)|::set-output"
              + " name=([A-Za-z_][A-Za-z0-9_-]*)::(.*)");
  private static final Pattern ASSIGNED = Pattern.compile("([A-Za-z_][A-Za-z0-9_-]*)=(.*)");

  /** How many lines are tried as the start of the last JSON object. */
  private static final int MOST_STARTS = 100;

  private OutputParser() {}

  /** What a step produced; what it did not is null. */
  public record Material(
      String stdout, @Nullable String file, @Nullable String body, @Nullable Object object) {}

  /** The outputs of a step. A capture that finds nothing is null. */
  public static Map<String, Object> parse(Step step, Material material) {
    Map<String, Object> found = new LinkedHashMap<>();
    List<String> lines = material.stdout().lines().toList();
    lines.forEach(line -> marked(line, found));
    lastObject(material.stdout()).ifPresent(found::putAll);
    if (material.file() != null) {
      found.putAll(fromFile(material.file()));
    }
    step.capture().forEach((name, capture) -> found.put(name, captured(capture, material)));
    return step.outputs().isEmpty() ? found : listed(step.outputs(), found, lines);
  }

  private static void marked(String line, Map<String, Object> found) {
    Matcher matcher = MARKED.matcher(line);
    if (matcher.matches()) {
      boolean plain = matcher.group(1) != null;
      found.put(
          plain ? matcher.group(1) : matcher.group(3), plain ? matcher.group(2) : matcher.group(4));
    }
  }

  /** Only the listed ones; one that nothing else was found for takes the last line. */
  private static Map<String, Object> listed(
      List<String> names, Map<String, Object> found, List<String> lines) {
    Map<String, Object> kept = new LinkedHashMap<>();
    names.forEach(
        name -> {
          if (found.containsKey(name)) {
            kept.put(name, found.get(name));
          }
        });
    if (names.size() == 1 && found.isEmpty()) {
      lines.reversed().stream()
          .filter(line -> !line.isBlank())
          .findFirst()
          .ifPresent(line -> kept.put(names.getFirst(), line.strip()));
    }
    return kept;
  }

  private static Map<String, Object> fromFile(String text) {
    String stripped = text.strip();
    if (stripped.startsWith("{")) {
      return object(stripped)
          .orElseThrow(() -> new IllegalArgumentException("the output file is not a JSON object"));
    }
    Map<String, Object> found = new LinkedHashMap<>();
    for (String line : stripped.lines().filter(l -> !l.isBlank()).toList()) {
      Matcher matcher = ASSIGNED.matcher(line);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "the output file has a line that is neither name=value nor JSON: " + shortened(line));
      }
      found.put(matcher.group(1), matcher.group(2));
    }
    return found;
  }

  private static Optional<Map<String, Object>> lastObject(String text) {
    List<Integer> starts = new ArrayList<>();
    for (int at = 0; at >= 0 && at < text.length(); at = nextLine(text, at)) {
      if (text.charAt(at) == '{') {
        starts.add(at);
      }
    }
    return starts.reversed().stream()
        .limit(MOST_STARTS)
        .map(start -> objectAt(text, start))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static int nextLine(String text, int at) {
    int end = text.indexOf('\n', at);
    return end < 0 ? -1 : end + 1;
  }

  /** The object that begins here and ends its line; strings are read over. */
  private static Optional<Map<String, Object>> objectAt(String text, int start) {
    int depth = 0;
    boolean quoted = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        int end = text.indexOf('\n', i);
        String rest = text.substring(i + 1, end < 0 ? text.length() : end);
        return rest.isBlank() ? object(text.substring(start, i + 1)) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static Optional<Map<String, Object>> object(String json) {
    try {
      return Optional.of(Json.readMap(json));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static @Nullable Object captured(Capture capture, Material material) {
    Object source =
        switch (capture.from()) {
          case STDOUT -> material.stdout();
          case BODY -> material.body();
          case OBJECT -> material.object();
        };
    if (source == null) {
      return null;
    }
    if (capture.regex() != null) {
      return matched(
          Regex.compile(capture.regex()), source instanceof String s ? s : Json.write(source));
    }
    Object value = source instanceof String s ? parsed(s) : source;
    return JsonPath.parse(String.valueOf(capture.jsonPath()))
        .in(value)
        .map(JsonPath.Found::value)
        .orElse(null);
  }

  private static @Nullable Object parsed(String text) {
    try {
      return Json.read(text);
    } catch (IllegalArgumentException e) {
      return lastObject(text).orElse(null);
    }
  }

  /** The first group, or everything when there is none. */
  private static @Nullable String matched(Regex regex, String text) {
    Optional<Match> match = regex.find(text);
    return match.map(m -> regex.groupNames().size() > 1 ? m.group(1) : m.text()).orElse(null);
  }

  private static String shortened(String line) {
    return line.length() > 80 ? line.substring(0, 79) + "…" : line;
  }
}
