package dev.slipway.engine.execute;

import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Secrets that a step says for the first time: outputs with the name of a secret, or declared so.
 * They become known as values only when the step has ended, and its log is kept long before that.
 */
final class LoggedSecrets {
  private static final Pattern OUTPUT =
      Pattern.compile("(?:OUTPUT_|::set-output name=)([A-Za-z_][A-Za-z0-9_.-]{0,199})(?:=|::)(.+)");
  private static final Pattern JSON_FIELD =
      Pattern.compile("\"([^\"\\\\]{1,200})\"\\s*:\\s*\"((?:[^\"\\\\]++|\\\\.){1,1000}+)");

  private LoggedSecrets() {}

  /** The secret values of this line; empty for nearly every line. */
  static Optional<List<String>> in(String line, Set<String> declared) {
    List<String> found = new ArrayList<>();
    for (Matcher form : forms(line)) {
      while (form.find()) {
        if (declared.contains(form.group(1)) || Secrets.nameSaysSecret(form.group(1))) {
          found.add(form.group(2));
        }
      }
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(found);
  }

  /** The line with such values hidden, however short they are. */
  static String mask(String line, Set<String> declared) {
    String masked = line;
    for (Matcher form : forms(line)) {
      masked = hide(form.reset(masked), masked, declared);
    }
    return masked;
  }

  private static String hide(Matcher form, String line, Set<String> declared) {
    StringBuilder out = new StringBuilder();
    int copied = 0;
    while (form.find()) {
      if (declared.contains(form.group(1)) || Secrets.nameSaysSecret(form.group(1))) {
        out.append(line, copied, form.start(2)).append(Sealed.MASK);
        copied = form.end(2);
      }
    }
    return out.append(line, copied, line.length()).toString();
  }

  private static List<Matcher> forms(String line) {
    List<Matcher> forms = new ArrayList<>(2);
    if (line.contains("OUTPUT_") || line.contains("::set-output")) {
      forms.add(OUTPUT.matcher(line));
    }
    if (line.contains("\":") || line.contains("\" :")) {
      forms.add(JSON_FIELD.matcher(line));
    }
    return forms;
  }
}
