package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Secrets that providers can be granted, and the environment variables under which their steps find
 * them.
 */
public final class GrantableSecrets {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,99}");

  /** Variables that programs understand in ways of their own. */
  private static final Pattern RESERVED =
      Pattern.compile("PATH|HOME|TMPDIR|LANG|APP_NAME|ENV|BASH_ENV|IFS|(LD|SLIPWAY)_.*");

  private static final Pattern MENTION = Pattern.compile("context\\.secrets\\.([A-Za-z0-9_-]+)");

  private GrantableSecrets() {}

  /** {@code npm-token} is {@code NPM_TOKEN}. */
  public static String variable(String name) {
    return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9_]", "_");
  }

  /** The secrets that a template asks for as {@code .context.secrets.NAME}. */
  static List<String> mentioned(String text) {
    return MENTION.matcher(text).results().map(found -> found.group(1)).distinct().toList();
  }

  static Map<String, String> read(Section root) {
    Map<String, String> secrets = new LinkedHashMap<>(root.stringMap("secrets"));
    root.section("secrets").ifPresent(s -> check(s, secrets));
    return secrets;
  }

  private static void check(Section s, Map<String, String> secrets) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String name : secrets.keySet()) {
      if (!NAME.matcher(name).matches()) {
        s.error(
            name,
            "invalid-value",
            "'" + name + "' is no name for a secret",
            "Use letters, digits, dashes and underscores.");
      } else if (RESERVED.matcher(variable(name)).matches()) {
        s.error(
            name,
            "invalid-value",
            "steps could not tell '" + name + "' from their own variable " + variable(name),
            "Choose another name.");
      }
      String other = variables.putIfAbsent(variable(name), name);
      if (other != null) {
        s.error(
            name,
            "duplicate-secret",
            "'" + name + "' and '" + other + "' are both " + variable(name) + " to steps",
            "Rename one of them.");
      }
    }
  }
}
