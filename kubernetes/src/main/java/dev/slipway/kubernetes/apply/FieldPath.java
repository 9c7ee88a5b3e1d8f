package dev.slipway.kubernetes.apply;

import dev.slipway.engine.intake.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the paths of fields that API servers write: {@code spec.containers[0].image}. */
final class FieldPath {
  private static final Pattern SEGMENT = Pattern.compile("\\.?([^.\\[\\]]+)|\\[([^\\]]*)\\]");

  private FieldPath() {}

  /** As far as it names keys and indexes; a selector in brackets ends it. */
  static Path parse(String field) {
    Path path = Path.ROOT;
    Matcher matcher = SEGMENT.matcher(field);
    while (matcher.find()) {
      String index = matcher.group(2);
      if (index == null) {
        path = path.child(matcher.group(1));
      } else if (index.matches("[0-9]{1,6}")) {
        path = path.child(Integer.parseInt(index));
      } else if (index.matches("[A-Za-z0-9_./-]+")) {
        path = path.child(index);
      } else {
        return path;
      }
    }
    return path;
  }
}
