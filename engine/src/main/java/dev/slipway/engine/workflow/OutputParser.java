package dev.slipway.engine.workflow;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.Step.Capture;
import dev.slipway.gotemplate.regex.Match;
import dev.slipway.gotemplate.regex.Regex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds a step's outputs in what it left behind. Later sources win: lines of standard output, the
 * last JSON object there, the output file, captures.
 */
public final class OutputParser {
  private static final int MOST_OUTPUTS = 1_000;
  private static final int LONGEST_TEXT = 16 << 20;
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_.-]{0,199}";
  private static final Pattern LINE = Pattern.compile("OUTPUT_(" + NAME + ")=(.*)");
  private static final Pattern COMMAND = Pattern.compile("::set-output name=(" + NAME + ")::(.*)");
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?:export )?(?:OUTPUT_)?(" + NAME + ")=(.*)");

  /**
   * What a step left behind.
   *
   * @param stdout its standard output; empty when it has none
   * @param file the text of its {@code outputFile}, or of {@code $SLIPWAY_OUTPUT}; null without one
   * @param body an answer: text, or a value already read
   * @param object an object that the step worked on
   */
  public record Material(
      String stdout, @Nullable String file, @Nullable Object body, @Nullable Object object) {
    /** Of a program. */
    public static Material of(String stdout, @Nullable String file) {
      return new Material(stdout, file, null, null);
    }
  }

  private final Step step;
  private final Material material;
  private final Map<String, Object> outputs = new LinkedHashMap<>();

  private OutputParser(Step step, Material material) {
    this.step = step;
    this.material = material;
  }

  /**
   * The outputs of a step.
   *
   * @throws OutputException when an output file is broken or a capture finds nothing
   */
  public static Map<String, Object> parse(Step step, Material material) {
    return new OutputParser(step, material).parse();
  }

  private Map<String, Object> parse() {
    bounded(material.stdout(), "standard output");
    lines();
    JsonObjects.lastIn(material.stdout()).ifPresent(outputs::putAll);
    file();
    boolean nothing = outputs.isEmpty() && step.capture().isEmpty();
    step.capture().forEach((name, capture) -> outputs.put(name, capture(name, capture)));
    List<String> listed = step.outputs();
    if (!listed.isEmpty()) {
      outputs
          .keySet()
          .removeIf(name -> !listed.contains(name) && !step.capture().containsKey(name));
    }
    if (nothing && listed.size() == 1) {
      lastLine().ifPresent(line -> outputs.put(listed.getFirst(), line));
    }
    if (outputs.size() > MOST_OUTPUTS) {
      throw new OutputException("a step may have at most " + MOST_OUTPUTS + " outputs");
    }
    return outputs;
  }

  private void lines() {
    if (!material.stdout().contains("OUTPUT_") && !material.stdout().contains("::set-output")) {
      return;
    }
    material
        .stdout()
        .lines()
        .forEach(
            line -> {
              for (Pattern form : List.of(LINE, COMMAND)) {
                Matcher matcher = form.matcher(line);
                if (matcher.matches()) {
                  put(matcher.group(1), matcher.group(2));
                }
              }
            });
  }

  private void put(String name, Object value) {
    outputs.put(name, value);
    if (outputs.size() > MOST_OUTPUTS) {
      throw new OutputException("a step may have at most " + MOST_OUTPUTS + " outputs");
    }
  }

  private void file() {
    String text = material.file();
    if (text == null || text.isBlank()) {
      return;
    }
    bounded(text, "the output file");
    if (text.strip().startsWith("{")) {
      try {
        outputs.putAll(Json.readMap(text));
      } catch (IllegalArgumentException e) {
        throw new OutputException("the output file begins like JSON and is " + e.getMessage());
      }
    } else {
      text.lines().map(String::strip).forEach(this::assignment);
    }
  }

  private void assignment(String line) {
    Matcher matcher = ASSIGNMENT.matcher(line);
    if (matcher.matches()) {
      put(matcher.group(1), matcher.group(2));
    } else if (!line.isEmpty() && !line.startsWith("#")) {
      throw new OutputException(
          "the output file has a line that is neither name=value nor JSON: '"
              + line.substring(0, Math.min(40, line.length()))
              + "'");
    }
  }

  private Optional<String> lastLine() {
    return material.stdout().lines().filter(line -> !line.isBlank()).reduce((_, line) -> line);
  }

  private @Nullable Object capture(String name, Capture capture) {
    Object source =
        switch (capture.from()) {
          case STDOUT -> material.stdout();
          case BODY -> material.body();
          case OBJECT -> material.object();
        };
    Object found =
        capture.jsonPath() != null
            ? byPath(name, capture.jsonPath(), source)
            : byPattern(name, String.valueOf(capture.regex()), source);
    return found;
  }

  private static @Nullable Object byPath(String name, String path, @Nullable Object source) {
    Object value = source;
    if (source instanceof String text) {
      value = JsonObjects.valueOf(text).orElseThrow(() -> missing(name, "no JSON to look into"));
    }
    return JsonPath.parse(path)
        .in(value)
        .orElseThrow(() -> missing(name, "nothing at " + path))
        .value();
  }

  private static Object byPattern(String name, String pattern, @Nullable Object source) {
    String text =
        switch (source) {
          case null -> "";
          case String s -> s;
          default -> Json.write(source);
        };
    Match match =
        Regex.compile(pattern)
            .find(text)
            .orElseThrow(() -> missing(name, "nothing that matches " + pattern));
    return match.has(1) ? match.group(1) : match.text();
  }

  private static OutputException missing(String name, String what) {
    return new OutputException("capture of '" + name + "' found " + what);
  }

  private static void bounded(String text, String what) {
    if (text.length() > LONGEST_TEXT) {
      throw new OutputException(what + " has more than 16 MiB");
    }
  }
}
