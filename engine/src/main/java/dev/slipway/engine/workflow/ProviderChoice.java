package dev.slipway.engine.workflow;

import dev.slipway.engine.value.Values;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of a field that needs a grant, as a workflow writes it. A document must not choose it,
 * so it is a literal or the provider's own configuration, in the plain form {@code {{ .config.NAME
 * }}}: anything else in a template could reach a parameter by another way.
 */
public final class ProviderChoice {
  private static final Pattern CONFIGURATION =
      Pattern.compile("\\{\\{-?\\s*\\.config((?:\\.[A-Za-z_]\\w*)+)\\s*-?\\}\\}");
  private static final Pattern OUTPUT =
      Pattern.compile(
          "\\{\\{-?\\s*\\.steps\\.([A-Za-z0-9_]+)\\.outputs?\\.[A-Za-z_]\\w*\\s*-?\\}\\}");

  private ProviderChoice() {}

  /** Whether the provider alone decides what the text becomes. */
  static boolean made(String text) {
    return !TemplateScan.hasTemplate(CONFIGURATION.matcher(text).replaceAll(""));
  }

  /** The step whose output the text is, when it is nothing else. */
  static Optional<String> output(String text) {
    Matcher matcher = OUTPUT.matcher(text.strip());
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** What the text becomes with that configuration; empty when that is known only in a run. */
  public static Optional<String> resolved(String text, Map<String, Object> configuration) {
    if (!made(text)) {
      return Optional.empty();
    }
    return Optional.of(
        CONFIGURATION
            .matcher(text)
            .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), configuration))));
  }

  private static String value(String chain, Map<String, Object> configuration) {
    Object here = configuration;
    for (String name : chain.substring(1).split("\\.")) {
      here = here instanceof Map<?, ?> map ? Values.map(map).get(name) : null;
    }
    return here == null ? "" : String.valueOf(here);
  }
}
